// Numbers in the boxes of the graph, as short as their room.

import { digits } from "../say.js";

// Return a number with fewer digits, for so many letters. It is not `off` by more than this share, though it may have more letters then.
export function inRoom(text, number, letters, off = Infinity) {
  for (let count = 5; text.length > letters && count > 0; count--) {
    if (Math.abs(number.toPrecision(count) - number) > off * Math.abs(number)) break;
    text = digits(number, count);
  }
  return text;
}

// The width of a text in sans serif, in font sizes, in the widest of the fonts that systems have.
const WIDE = { ".": 0.36, " ": 0.34, "−": 0.84, "+": 0.84, "=": 0.84, "×": 0.84, m: 0.98, w: 0.82, i: 0.3, l: 0.3, t: 0.4, r: 0.42 };
export const BOLD = 1.09; // how much wider bold letters and figures are
export const widthOf = text => [...text].reduce((sum, letter) => sum + (WIDE[letter] ?? 0.64), 0);

// Return the longest form of a number that is not wider, with at least `fewest` digits; null if there is none, unless one digit is enough.
export function withinWidth(text, number, room, fewest) {
  for (let count = 6; widthOf(text) > room; count--) {
    if (count < fewest) return fewest > 1 ? null : text;
    text = digits(number, count);
  }
  return text;
}

// Return a number as a box shows it: a compact box shows four digits. box_sizes.py (written) does the same.
export function briefly(text, look) {
  if (!look.compact) return text;
  const found = text.replace(/^(−?)(\d+\.\d+)/, (_, sign, size) => sign + Number(size).toPrecision(Math.max(4, size.indexOf("."))));
  return found.length < text.length ? found : text;
}
