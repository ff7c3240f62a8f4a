// Numbers as people write them: six digits (seven if all are before the point), no trailing zeros, and a minus sign. Python writes the
// page's other numbers in the same way.

import { math, sign } from "./dom.js";

const DIGITS = 6, SMALLEST_PLAIN = -4; // the exponent below which a number is written as 1e-05

// Return the text of a number: 0.3, −2, 1.5e+16, inf. Zero has no sign.
export function written(number) {
  if (number === 0) return "0";
  if (!Number.isFinite(number)) return number !== number ? "nan" : number > 0 ? "inf" : "−inf";
  const count = Math.abs(number) >= 1e6 && Math.abs(number) < 1e7 ? DIGITS + 1 : DIGITS;
  const size = rounding(Math.abs(number), count - 1), [mantissa, power] = size.split("e").map(Number);
  const exponent = `e${power < 0 ? "−" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  return (number < 0 ? "−" : "") + (SMALLEST_PLAIN <= power && power < count ? Number(size) : mantissa + exponent);
}

// Return a number in MathML, with its minus as an operator.
export function writtenMath(number) {
  const size = math("mn", written(Math.abs(number)));
  return number < 0 ? math("mrow", sign("−"), size) : size;
}

// Return a number with so many decimals. Of two equally near ones JavaScript takes the larger, Python the even one.
function rounding(number, decimals) {
  const [, even, power] = /^(\d\.\d*[02468])50*(e.*)/.exec(number.toExponential(100)) ?? [];
  return even?.length === decimals + 2 ? even + power : number.toExponential(decimals);
}

// Return a shape as Python's shape_text writes it: 2×3, and (3,) for a vector.
export const shapeText = shape => (shape.length === 1 ? `(${shape[0]},)` : shape.join("×"));

// Return the index along each axis, from 0 on, of entry number k of an array of this shape.
export function indicesOf(k, shape) {
  const found = [];
  for (const n of shape.toReversed()) {
    found.unshift(k % n);
    k = Math.floor(k / n);
  }
  return found;
}

// Return the power of ten of a number's first digit.
const exponentOf = number => Math.floor(Math.log10(Math.abs(number)) + 1e-12);

const TOLERANCE = 0.02; // the share by which the change between two written numbers may differ from the change

// Return {was, now, change, decimals, exact}: a number before and after a change, and their difference, all with the same decimals, so that
// the difference is that of the two numbers as they are written. They have at most so many decimals. `exact` says whether the difference
// of such numbers is nearly the change.
export function changeTexts(before, now, most = Infinity) {
  const sizes = [before, now].filter(number => number !== 0).map(exponentOf), moved = now - before;
  const enough = Math.max(0, 2 - exponentOf(moved), ...sizes.map(size => 3 - size));
  const decimals = Math.min(most, DIGITS - 1 - Math.max(...sizes), enough);
  const [was, is] = [before, now].map(number => rounded(number, decimals)), change = rounded(is - was, decimals);
  const exact = Math.abs(change - moved) <= TOLERANCE * Math.abs(moved);
  return { was: written(was), now: written(is), change: written(change), decimals, exact };
}

// Return a number with so many decimals; if these are negative, as a multiple of 10, 100, …
function rounded(number, decimals) {
  return decimals < 0 ? Math.round(number / 10 ** -decimals) * 10 ** -decimals : Number(number.toFixed(Math.min(decimals, 100)));
}

// Return the texts of numbers, with as many digits as tell them apart.
export function toldApart(numbers) {
  const most = 17; // digits, with which every number has a text of its own
  for (let count = DIGITS; ; count++) {
    const exact = number => `${Number(number.toPrecision(count))}`.replaceAll("-", "−");
    const texts = numbers.map(number => (count === DIGITS || !Number.isFinite(number) ? written(number) : exact(number)));
    if (new Set(texts).size === new Set(numbers).size || count === most) return texts;
  }
}
