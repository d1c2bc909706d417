// Puts the optimised page together: node scripts/page.js PARTS PAGE
//
// PARTS holds the wasm files of the page and the scripts that load them. What else belongs to the
// page is said by the elements of index.html that trunk reads while the page is worked on.
//
// All that belongs to one build lies in one folder, named by a digest of everything in it. So a
// page that is still open never gets a part of a newer build, whose memory is laid out otherwise:
// it asks for a file that is gone, and says so.
"use strict";

const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { basename, join } = require("node:path");
const esbuild = require("esbuild");

const NAME = "kitchen-assistant";
const [parts, page] = process.argv.slice(2);

// A text with all that it imports, small.
function bundle(contents, resolveDir, loader) {
  const { outputFiles } = esbuild.buildSync({
    stdin: { contents, resolveDir, loader },
    bundle: true,
    charset: "utf8",
    external: ["/fonts/*"],
    format: "esm",
    legalComments: "none",
    logOverride: { "duplicate-object-key": "silent" }, // wasm-bindgen names a script for each part
    minify: true,
    write: false,
  });
  return outputFiles[0].contents;
}

// The files of the build by their names, those that index.html names aside.
function program() {
  const built = new Map();
  built.set(`${NAME}.js`, bundle(`import start from "./${NAME}.js"; start();`, parts, "js"));
  for (const name of fs.readdirSync(parts).filter((it) => it.endsWith(".wasm"))) {
    built.set(name, fs.readFileSync(join(parts, name)));
  }
  return built;
}

function attributes(text) {
  const all = text.matchAll(/([a-z-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries(Array.from(all, ([, name, value]) => [name, value]));
}

// Turns the elements for trunk into those for a browser, with FOLDER where the folder's name will
// be, and adds the files they name to `built`.
function index(built) {
  const styles = [];
  const text = fs.readFileSync("index.html", "utf8");
  const told = text.replace(/<(?:link|script) data-trunk ([^>]*)>(?:<\/script>)?/g, (element, rest) => {
    const { rel, href, src } = attributes(rest);
    switch (rel ?? "script") {
      case "css":
        styles.push(`@import "./${href}";`);
        return styles.length === 1 ? `<link rel="stylesheet" href="/FOLDER/${NAME}.css">` : "";
      case "icon":
        built.set(basename(href), fs.readFileSync(href));
        return `<link rel="icon" href="/FOLDER/${basename(href)}">`;
      case "copy-dir":
        fs.cpSync(href, join(page, basename(href)), { recursive: true });
        return "";
      case "script":
        built.set(basename(src), bundle(`import "./${src}";`, process.cwd(), "js"));
        return `<script type="module" src="/FOLDER/${basename(src)}"></script>`;
      case "rust":
        return `<link rel="preload" as="fetch" type="application/wasm" href="/FOLDER/${NAME}_bg.wasm" crossorigin>
          <script type="module" src="/FOLDER/${NAME}.js"></script>`;
      default:
        throw new Error(`index.html has an element that only trunk knows: ${element}`);
    }
  });
  built.set(`${NAME}.css`, bundle(styles.join(""), process.cwd(), "css"));
  return told.replace(/<!--[^]*?-->/g, "").replace(/\s*\n\s*/g, "\n");
}

// The name of a folder that holds these files and no others.
function digest(built) {
  const sum = createHash("sha256");
  for (const [name, bytes] of [...built].sort(([one], [other]) => (one < other ? -1 : 1))) {
    sum.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  return sum.digest("hex").slice(0, 16);
}

const built = program();
const text = index(built);
const folder = digest(built);
fs.mkdirSync(join(page, folder), { recursive: true });
for (const [name, bytes] of built) {
  fs.writeFileSync(join(page, folder, name), bytes);
}
fs.writeFileSync(join(page, "index.html"), text.replaceAll("FOLDER", folder));
