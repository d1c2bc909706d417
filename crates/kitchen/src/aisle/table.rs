//! Common items and where they stand, in the languages of the product's first households.
//!
//! The English rows of food follow the categories of USDA FoodData Central (public domain, CC0);
//! which aisle a category belongs to, everyday names and the other languages were added here.

use super::Aisle;

/// Names as [`crate::item::forms`] gives them (lower case, no accents, one of a thing), sorted, with
/// a bar between two. One text an aisle is half of what a list of texts would add to the page.
#[rustfmt::skip]
pub(super) const TABLE: &[(Aisle, &str)] = &[
    (Aisle::Produce, "\
         aardappel|aardbei|acorn squash|ail|alfalfa|apfel|appel|apple|apricot|artichoke|\
         arugula|asparagus|aubergine|avocado|baby spinach|banaan|banana|banane|bananen|basil|\
         bean sprouts|beetroot|bell pepper|birne|blackberry|bloemkool|blueberry|blumenkohl|\
         bok choy|broccoli|brussels sprout|butternut squash|cabbage|carotte|carrot|\
         cauliflower|celeriac|celery|champignon|chard|cherry|cherry tomato|chicory|chili|\
         chilli|chives|citroen|citron|clementine|cloud ear|concombre|coriander|\
         corn on the cob|courgette|cranberry|cress|cucumber|currant|date|dill|druif|druiven|\
         eggplant|endive|epinard|erdbeere|fennel|fig|fraise|fruit|garlic|gemuse|ginger|\
         gooseberry|grape|grapefruit|green bean|groente|gurke|herb|jujube|kale|karotte|\
         kartoffel|kelp|kiwi|knoblauch|knoflook|kohlrabi|komkommer|lauch|leek|legume|lemon|\
         lemon grass|lettuce|lime|mandarin|mango|melon|mint|mohre|mushroom|nectarine|obst|\
         oignon|onion|orange|papaya|paprika|parsley|parsnip|passion fruit|pea|peach|pear|\
         peer|pepper|peren|persil|peterselie|petersilie|pilz|pineapple|plum|poire|poireau|\
         poivron|pomegranate|pomme|pomme de terre|potato|prei|pumpkin|radish|raisin|\
         raspberry|rhubarb|rocket|rosemary|salad|salade|salat|satsuma|scallion|sellerie|\
         shallot|sinaasappel|sla|spinach|spinat|spinazie|spring onion|squash|strawberry|\
         swede|sweet potato|sweetcorn|thyme|tomaat|tomate|tomaten|tomato|trauben|turnip|ui|\
         vegetable|watercress|watermelon|wortel|wortelen|yam|zitrone|zucchini|zwiebel"),
    (Aisle::Bread, "\
         bagel|baguette|bolletjes|bread|bread roll|brioche|brood|broodje|brot|brotchen|\
         brownie|bun|burger bun|cake|cheesecake|ciabatta|croissant|crumpet|flatbread|\
         focaccia|gateau|kuchen|muffin|naan|pain|pain de mie|pastry|pie|pita|pitta|pretzel|\
         roll|scone|sourdough|stokbrood|toast|toastbrot|tortilla|wrap"),
    (Aisle::Dairy, "\
         almond milk|beurre|boter|brie|butter|buttermilk|camembert|cheddar|cheese|\
         cottage cheese|cream|cream cheese|creme|creme fraiche|custard|egg|egg white|\
         egg yolk|ei|eier|eieren|feta|frischkase|fromage|fromage blanc|goat cheese|\
         goats cheese|gouda|halloumi|joghurt|kaas|karnemelk|kase|kefir|kwark|lait|margarine|\
         mascarpone|melk|milch|milk|mozzarella|oat milk|oeuf|parmesan|quark|ricotta|room|\
         sahne|schmand|skyr|slagroom|sour cream|soy milk|vla|whipped cream|whipping cream|\
         yaourt|yoghurt|yogurt|œuf"),
    (Aisle::Meat, "\
         agneau|anchovy|bacon|beef|boeuf|bologna|bratwurst|burger|bœuf|canadian bacon|\
         chicken|chicken breast|chicken thigh|clam|cod|crab|crevette|dinde|duck|fillet steak|\
         fisch|fish|fish fillet|fleisch|frankfurter|game meat|garnalen|garnele|gehakt|\
         goat meat|grouper|hackfleisch|haddock|hahnchen|ham|herring|hot dog|huhn|jambon|kip|\
         kipfilet|lachs|lamb|lamb chop|lardon|mackerel|meat|meatball|mince|minced beef|\
         minced meat|mussel|ostrich|oyster|pheasant|poisson|pompano|porc|pork|pork chop|\
         poulet|prawn|prosciutto|rabbit|rindfleisch|roughy|rundvlees|salami|salmon|sardine|\
         saucisse|saumon|sausage|scallop|schinken|seafood|shrimp|speck|spek|squid|steak|\
         tripe|trout|tuna|tuna steak|turkey|veal|venison|viande|vis|vlees|worst|wurst|zalm"),
    (Aisle::Cupboard, "\
         almond|almond paste|apple sauce|applesauce|arrowroot|azijn|baked beans|\
         baking powder|baking soda|balsamic vinegar|barley|bay leaf|bean|beef stock|biscotte|\
         biscuit|black pepper|bloem|bohnen|bouillon|breadcrumbs|bulgur|candy|canned tomato|\
         caper|caster sugar|cereal|chia seed|chicken stock|chickpea|chocolat|chocolate|\
         chocolate bar|chopped tomato|cinnamon|cocoa|coconut cream|coconut milk|coconut oil|\
         condensed milk|confiture|cookie|corn flour|cornflake|cornflour|cornstarch|couscous|\
         cracker|crisps|cumin|curry paste|curry powder|essig|farine|fish sauce|flour|\
         gelatine|gravy|ground pepper|haferflocken|hagelslag|ham stock|hazelnut|honey|honig|\
         honing|horseradish|huile|huile d'olive|icing sugar|jam|jelly|kekse|ketchup|\
         kidney bean|koekjes|lasagne|lasagne sheet|lentil|lentille|lentils|linsen|linzen|\
         mac and cheese|macaroni|maple syrup|marmalade|marmelade|mayo|mayonnaise|meel|mehl|\
         miel|moutarde|muesli|mustard|noodle|nudel|nudeln|nut|nut butter|nutmeg|oat|oatmeal|\
         oil|ol|olie|olijfolie|olive|olive oil|olivenol|oregano|paprika powder|pasta|pates|\
         peanut|peanut butter|penne|peper|pesto|pfeffer|pickle|pindakaas|pine nut|pistachio|\
         poivre|polenta|popcorn|potato chips|potato crisps|quinoa|raisins|reis|rice|\
         rice noodle|rice vinegar|rijst|riz|saffron|salad dressing|salsa|salt|salz|sauce|\
         schokolade|sea salt|sel|sesame seed|snack|soda bread mix|soup|soy sauce|spaghetti|\
         spice|stock|stock cube|sucre|sugar|suiker|sunflower oil|sweets|syrup|tahini|tofu|\
         tomato paste|tomato puree|tomato sauce|tortilla chips|tuna can|vanilla|\
         vanilla extract|vegetable oil|vegetable stock|vermicelli|vinaigre|vinegar|walnut|\
         wasabi|white pepper|worcestershire sauce|yeast|zout|zucker"),
    (Aisle::Freezer, "\
         eis|fischstabchen|fish fingers|frozen food|frozen pea|glace|ice|ice cream|ice cube|\
         ice lolly|ijs|ijsje|oven chips|pizza|sorbet|tiefkuhlpizza|vissticks"),
    (Aisle::Drinks, "\
         ale|apfelsaft|apple juice|beer|beverage|bier|biere|cafe|champagne|cider|coffee|\
         coffee bean|coke|cola|cordial|eau|fruit juice|gin|grape drink|grape juice|green tea|\
         juice|jus|jus d'orange|kaffee|koffie|lager|lemon juice|lemonade|limonade|\
         mineral water|mineralwasser|orange juice|orangensaft|port|prosecco|prune juice|\
         red wine|rum|saft|sap|shake|sinaasappelsap|smoothie|soda|soft drink|sparkling water|\
         squash drink|tea|tea bag|tee|the|thee|tonic|tonic water|vin|vodka|wasser|water|wein|\
         whiskey|whisky|white wine|wijn|wine"),
    (Aisle::Household, "\
         afwasmiddel|aluminium foil|aluminum foil|baking paper|baking parchment|battery|\
         bin bag|bin liner|bleach|candle|cat food|cat litter|cleaning spray|cling film|cloth|\
         dentifrice|deodorant|detergent|diaper|dish soap|dishwasher salt|dishwasher tablet|\
         dog food|eponge|essuie-tout|fabric softener|foil|garbage bag|hand soap|keukenpapier|\
         keukenrol|kitchen roll|klopapier|kuchenrolle|laundry detergent|lessive|light bulb|\
         liquide vaisselle|match|matches|mullbeutel|napkin|nappy|paper towel|papier toilette|\
         parchment paper|piles|plaster|razor|sac poubelle|sanitary towel|savon|seife|shampoo|\
         shower gel|soap|sponge|spulmittel|sun cream|tandpasta|tin foil|tissue|toilet paper|\
         toilet roll|toiletpapier|toilettenpapier|toothbrush|toothpaste|trash bag|vuilniszak|\
         waschmittel|washing powder|washing up liquid|washing-up liquid|wasmiddel|wet wipes|\
         zahnpasta|zeep"),
];
