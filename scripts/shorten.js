// Takes out of the program in the folder PARTS what only its tools need: node scripts/shorten.js PARTS
//
// Each function that the program imports has a name of some forty letters, once in it and once in its
// script; both get short ones. And it exports what would make a stream of the browser out of one of
// ours, which nothing here does, so wasm-opt could not drop it.
"use strict";

const fs = require("node:fs");
const { join } = require("node:path");

const NAME = "kitchen-assistant";
const IMPORTS = 2;
const EXPORTS = 7;
const FUNCTION = 0;
const [parts] = process.argv.slice(2);

// Reads wasm: numbers are in LEB128, texts and sections begin with their length.
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  isAtEnd() {
    return this.at >= this.bytes.length;
  }

  byte() {
    return this.bytes[this.at++];
  }

  number() {
    for (let number = 0, shift = 0; ; shift += 7) {
      const byte = this.byte();
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number >>> 0;
    }
  }

  counted() {
    const length = this.number();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

function number(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
}

function counted(bytes) {
  return Buffer.concat([Buffer.from(number(bytes.length)), bytes]);
}

function list(entries) {
  return Buffer.concat([Buffer.from(number(entries.length)), ...entries]);
}

// What a list in a section holds, each read by `read` and left out if that gives nothing.
function rewritten(section, read) {
  const reader = new Reader(section);
  const entries = Array.from({ length: reader.number() }, () => read(reader));
  return list(entries.filter((entry) => entry));
}

const names = new Map();

function shortImport(reader) {
  const module = reader.counted();
  const name = String(reader.counted());
  if (reader.byte() !== FUNCTION) throw new Error(`${name} is imported and is no function`);
  // What loads the parts has a script of its own.
  const isOfScript = String(module) === `./${NAME}_bg.js`;
  const short = isOfScript ? `$${names.size.toString(36)}` : name;
  names.set(name, short);
  const what = Buffer.from([FUNCTION, ...number(reader.number())]);
  return Buffer.concat([counted(module), counted(Buffer.from(short)), what]);
}

function neededExport(reader) {
  const name = reader.counted();
  const what = Buffer.from([reader.byte(), ...number(reader.number())]);
  return /intounderlying/.test(String(name)) ? null : Buffer.concat([counted(name), what]);
}

function shortened(module) {
  const reader = new Reader(module, 8);
  const sections = [module.subarray(0, 8)];
  while (!reader.isAtEnd()) {
    const id = reader.byte();
    let section = reader.counted();
    if (id === IMPORTS) section = rewritten(section, shortImport);
    if (id === EXPORTS) section = rewritten(section, neededExport);
    sections.push(Buffer.from([id]), counted(section));
  }
  return Buffer.concat(sections);
}

const program = join(parts, `${NAME}_bg.wasm`);
fs.writeFileSync(program, shortened(fs.readFileSync(program)));
const script = join(parts, `${NAME}.js`);
const text = fs.readFileSync(script, "utf8").replace(/[\w$]+/g, (word) => names.get(word) ?? word);
fs.writeFileSync(script, text);
