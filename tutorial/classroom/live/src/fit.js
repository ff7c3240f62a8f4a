// How large a question stands in the teacher's window, and where its parts stand: the largest letters with which all of it is in view.

import { sum } from "./bars.js";

const NARROW = 700; // pixels: in such a window all stands in one column, and is scrolled
const SIZES = Array.from({ length: 13 }, (_, k) => 1 - k / 25); // of the letters, beside those that the window gives
const SMALL = 0.8; // a size from which on lines of a program are broken rather
const PLACES = ["", "right", "sides"]; // of picture and code: below what is asked, at its right, or with it at the left of the choices
const UNITS = 11, READ = 0.8; // height of a picture's letters in its own units, and of the window's letters
const WIDEST = 0.9, HIGHEST = 0.5; // of the window: a picture need not be larger
const WHOLE = "pre, .formula, .asked h2, .option > span, .option .why"; // what shall not be cut off
const USUAL = { size: 1, name: "" };
let last = { of: "", style: USUAL };

// Give the question the largest letters. `of` names what is shown: as long as all of it is in view, the window stays as it is.
export function fit(main, of) {
  if (innerWidth <= NARROW) return void set(main, USUAL);
  const now = `${of} ${innerWidth} ${innerHeight}`;
  if (last.of !== now || set(main, last.style)) last = { of: now, style: largest(main) };
}

// Set the best style, and return it.
function largest(main) {
  let best = USUAL, least = Infinity;
  for (const style of styles(main)) {
    const over = set(main, style);
    if (over < least) [best, least] = [style, over];
    if (!least) return best;
  }
  set(main, best);
  return best;
}

// Return all styles, the best ones first. Lines of a program are broken only if all would become small by them.
function styles(main) {
  const of = (sizes, more = "") => sizes.flatMap(size => names(main, size).map(name => ({ size, name: `${name}${more}` })));
  return main.querySelector("pre") ? [...of(SIZES.filter(size => size > SMALL)), ...of(SIZES, " broken")] : of(SIZES);
}

// Return the names of the ways in which the parts may stand. Where not all is in view at once, the stem and the bars are smaller.
function names(main, size) {
  const parts = main.querySelectorAll(".beside > *").length, many = main.querySelectorAll(".options > *").length > 4;
  const places = parts ? PLACES : [""], ways = parts > 1 ? ["", "abreast"] : [""], columns = many ? ["columns", ""] : ["", "columns"];
  const all = places.flatMap(place => ways.flatMap(way => columns.map(column => `${place} ${way} ${column}`)));
  return [...(size < 1 ? [] : all), ...all.map(name => `${name} tight`)];
}

// Set a style, and return by how many pixels it shows too little.
function set(main, { size, name }) {
  main.className = name;
  main.style.setProperty("--fit", `${size}`);
  const cut = [...main.querySelectorAll(WHOLE)].map(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth - 1));
  return sum([...cut, pictured(main), main.scrollHeight - main.clientHeight]);
}

// Give a picture the height at which its letters can be read, and return by how many pixels it is too narrow for that.
function pictured(main) {
  const frame = main.querySelector(".picture");
  if (!frame) return 0;
  const [width, height] = ["width", "height"].map(side => +frame.firstChild.getAttribute(side)), room = frame.clientWidth;
  const wanted = (READ * parseFloat(getComputedStyle(main).fontSize)) / UNITS;
  const scale = Math.min(wanted, (WIDEST * main.clientWidth) / width, (HIGHEST * main.clientHeight) / height);
  frame.style.minHeight = `${height * Math.min(scale, room / width)}px`;
  return Math.max(0, width * scale - room);
}
