//! What a conversation used, in tokens and in money.

use agent::model::Usage;
use agent::time::Timestamp;
use view::usage::{Price, Prices, amount, by_model, dollars, words};

fn used(model: &str, input: u64, cached: u64, output: u64) -> Usage {
    Usage { model: model.to_owned(), input, cached, output }
}

#[test]
fn tokens_are_added_up_by_model() {
    let counted = [
        (Timestamp(1), used("anthropic/claude", 1_000, 0, 20)),
        (Timestamp(2), used("ollama/llama", 7, 0, 3)),
        (Timestamp(3), used("anthropic/claude", 234_000, 0, 1)),
    ];
    let said: Vec<_> =
        by_model(&counted, &Prices::default()).into_iter().map(|it| (it.model, it.words)).collect();
    assert_eq!(
        said,
        [
            (
                "anthropic/claude".to_owned(),
                "2 answers: 235,000 tokens read, 21 written.".to_owned()
            ),
            ("ollama/llama".to_owned(), "1 answer: 7 tokens read, 3 written.".to_owned()),
        ]
    );
}

#[test]
fn money_is_exact_rounded_up_and_told_only_where_a_price_is_known() {
    let price = Price { read: 3_000_000, written: 15_000_000 };
    for (usage, said) in [
        (used("m", 1_000_000, 0, 0), "1,000,000 tokens read, 0 written, $3.0000."),
        (used("m", 1, 0, 0), "1 tokens read, 0 written, $0.0001."),
        (used("m", 1_000, 0, 100), "1,000 tokens read, 100 written, $0.0045."),
        (
            used("m", 10_000, 9_000, 0),
            "10,000 tokens read (9,000 of them kept there), 0 written, at most $0.0300.",
        ),
    ] {
        assert_eq!(words(&usage, price), said);
    }
    assert!(!words(&used("m", u64::MAX, 0, u64::MAX), Price::default()).contains('$'));
    let most = Price { read: 100_000_000_000, written: 100_000_000_000 };
    assert!(words(&used("m", u64::MAX, 0, u64::MAX), most).contains('$'));
}

#[test]
fn an_amount_is_read_as_it_is_written_and_nothing_else_is_one() {
    for (text, millionths) in [
        ("3", 3_000_000),
        ("0.25", 250_000),
        ("0,25", 250_000),
        (" $ 15.00 ", 15_000_000),
        (".5", 500_000),
        ("", 0),
        ("0.000001", 1),
    ] {
        assert_eq!(amount(text), Some(millionths), "{text}");
        assert_eq!(amount(&dollars(millionths)), Some(millionths));
    }
    for text in
        ["three", "-1", "1.2.3", "1e3", "0.0000001", "100001", "99999999999999999999", "1 000"]
    {
        assert_eq!(amount(text), None, "{text}");
    }
}

#[test]
fn prices_come_back_as_they_were_kept_and_what_is_no_price_is_none() {
    let price = Price { read: 3_000_000, written: 15_000_000 };
    let prices = Prices::default().with("anthropic/claude", price).with("a b", Price::default());
    assert_eq!(Prices::read(&prices.write()), prices);
    let damaged = Prices::read("m\tmany\t1\nanthropic/claude\t3000000\t15000000\n\t\nx");
    assert_eq!(damaged, Prices::default().with("anthropic/claude", price));
    assert_eq!(damaged.of("m"), Price::default());
}
