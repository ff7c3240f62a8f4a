// Numbers as people write them: six digits, no trailing zeros, and a minus sign. Python writes the page's other numbers in the same way.

import { math, sign } from "./dom.js";

const DIGITS = 6, SMALLEST_PLAIN = -4; // the exponent below which a number is written as 1e-05

// Return the text of a number: 0.3, −2, 1.5e+16, inf. Zero has no sign.
export function written(number) {
  if (number === 0) return "0";
  if (!Number.isFinite(number)) return number !== number ? "nan" : number > 0 ? "inf" : "−inf";
  const size = sixDigits(Math.abs(number)), [mantissa, power] = size.split("e").map(Number);
  const exponent = `e${power < 0 ? "−" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  return (number < 0 ? "−" : "") + (SMALLEST_PLAIN <= power && power < DIGITS ? Number(size) : mantissa + exponent);
}

// Return a number in MathML, with its minus as an operator.
export function writtenMath(number) {
  const size = math("mn", written(Math.abs(number)));
  return number < 0 ? math("mrow", sign("−"), size) : size;
}

// Of two equally near numbers of six digits JavaScript takes the larger, Python the even one.
function sixDigits(number) {
  const between = /^(\d\.\d{4}[02468])50*(e.*)/.exec(number.toExponential(100));
  return between ? between[1] + between[2] : number.toExponential(DIGITS - 1);
}

// Return a shape as Python's shape_text writes it: 2×3, and (3,) for a vector.
export const shapeText = shape => (shape.length === 1 ? `(${shape[0]},)` : shape.join("×"));

// Return the texts of numbers, with as many digits as tell them apart.
export function toldApart(numbers) {
  const most = 17; // digits, with which every number has a text of its own
  for (let count = DIGITS; ; count++) {
    const exact = number => `${Number(number.toPrecision(count))}`.replaceAll("-", "−");
    const texts = numbers.map(number => (count === DIGITS || !Number.isFinite(number) ? written(number) : exact(number)));
    if (new Set(texts).size === new Set(numbers).size || count === most) return texts;
  }
}
