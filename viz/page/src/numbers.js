// Numbers as people write them: six digits, no trailing zeros, and a minus sign. Python writes the page's other numbers in the same way.

import { math, sign } from "./dom.js";

const DIGITS = 6, SMALLEST_PLAIN = -4; // the exponent below which a number is written as 1e-05

// Return the text of a number: 0.3, −2, 1.5e+16, inf. Zero has no sign.
export function written(number) {
  if (number === 0) return "0";
  if (!Number.isFinite(number)) return number !== number ? "nan" : number > 0 ? "inf" : "−inf";
  const [mantissa, power] = sixDigits(Math.abs(number)).split("e"), exponent = +power, digits = mantissa.replace(".", "");
  return (
    (number < 0 ? "−" : "") + (exponent < SMALLEST_PLAIN || exponent >= DIGITS ? scientific(digits, exponent) : plain(digits, exponent))
  );
}

// Return a number in MathML, with its minus as an operator.
export function writtenMath(number) {
  const size = math("mn", written(Math.abs(number)));
  return number < 0 ? math("mrow", sign("−"), size) : size;
}

// Of two equally near numbers of six digits JavaScript takes the larger, Python the even one.
function sixDigits(number) {
  const found = number.toExponential(DIGITS - 1), [mantissa] = number.toPrecision(100).replace(".", "").split("e");
  const digits = mantissa.replace(/^0+/, ""), between = /^\d{5}(\d)50*$/.exec(digits);
  if (!between || +between[1] % 2) return found;
  return `${digits[0]}.${digits.slice(1, DIGITS)}e${found.split("e")[1]}`;
}

function plain(digits, exponent) {
  const point = exponent + 1, all = point <= 0 ? "0".repeat(1 - point) + digits : digits, whole = Math.max(point, 1);
  return trimmed(`${all.slice(0, whole)}.${all.slice(whole)}`);
}

function scientific(digits, exponent) {
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${trimmed(`${digits[0]}.${digits.slice(1)}`)}e${exponent < 0 ? "-" : "+"}${size}`.replace("e-", "e−");
}

const trimmed = text => text.replace(/\.?0*$/, "");
