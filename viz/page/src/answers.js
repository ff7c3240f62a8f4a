// Read a number that the user typed, and judge it. viz/questions/quiz.py reads answers in the same way: one table tests both.

const ENOUGH_DIGITS = 3; // an answer with this many digits must be right in these digits only
const CLOSE = 1e-9; // relative error that is allowed where a number has more digits than are shown

// Return the numbers that were typed, each with the error that its digits allow. Numbers are 9, −2.5, 1e-3 and 1/3.
export function parseAnswer(text, count, isArray) {
  const words = isArray ? text.split(/[\][,;\s]+/).filter(Boolean) : [text.replace(/\s/g, "")];
  if (words.length !== count) throw new Error(`enter all ${count} entries row by row, for example 1 2; 3 4`);
  return words.map(parseNumber);
}

function parseNumber(word) {
  const text = word.replace(/−/g, "-").replace(/\p{Nd}/gu, digitOf), fraction = /^([+-]?\d+)\/([+-]?\d+)$/.exec(text);
  if (fraction && +fraction[2] !== 0) return { number: +fraction[1] / +fraction[2], slack: 0 };
  if (/^[+-]?(inf(inity)?|nan)$/i.test(text)) return { number: /nan/i.test(text) ? NaN : text[0] === "-" ? -Infinity : Infinity, slack: 0 };
  const written = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  if (!written || !(written[1] || written[2]))
    throw new Error(`${word ? `“${word}” is not a number; write` : "enter a number,"} for example 9, −2.5 or 1/3`);
  const [, whole, decimals, power] = written, digits = (whole + decimals).replace(/^0+/, "").length;
  return { number: +text, slack: digits >= ENOUGH_DIGITS ? 10 ** ((+power || 0) - decimals.length) / 2 : 0 };
}

// Return the value of a digit of any script: Unicode lists the ten digits of a script in a row, from 0 on.
function digitOf(digit) {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0) - before - 1))) before++;
  return before % 10;
}

// `exact`: the right number is an integer or a fraction, and every digit of the answer counts.
function agrees({ number, slack }, right, exact) {
  right = Number(right === "inf" ? Infinity : right === "-inf" ? -Infinity : right);
  if (!Number.isFinite(number) || !Number.isFinite(right)) return Object.is(number, right);
  const least = exact ? Number.EPSILON * Math.abs(right) : Math.max(CLOSE * Math.abs(right), shownSlack(right));
  return Math.abs(number - right) <= Math.max(slack * (1 + CLOSE), least);
}

// The rounding error of the six digits that are shown.
const shownSlack = right => Math.abs(right - Number(right.toPrecision(6))) * (1 + CLOSE);

export const agreesAll = (given, right, exact) => given.every((answer, k) => agrees(answer, right[k], exact));

// Return the number that the user typed. Throws an error with a message for the user.
export function finiteNumber(text) {
  const { number } = parseNumber(text.replace(/\s/g, "").replace(",", "."));
  if (!Number.isFinite(number)) throw new Error("enter a finite number");
  return number;
}
