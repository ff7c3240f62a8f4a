// Sentences and numbers of the acts: a template with names and formulas in it becomes text and mathematics.

import { appendText, html } from "./dom.js";
import { toldApart, written } from "./numbers.js";

// Return a number as text with at most `count` digits, but with all that it has before its point: 182237 is not 182200.
export const digits = (number, count = 6) => {
  const whole = Math.min(7, Math.trunc(Math.abs(number)).toString().length);
  return written(Number.isFinite(number) ? Number(number.toPrecision(Math.max(count, whole))) || 0 : number);
};
export const signed = (number, count = 4) => (number > 0 ? `+${digits(number, count)}` : digits(number, count));
export const withSign = text => (text === "0" || text.startsWith("−") ? text : `+${text}`);
export const bracketed = (number, count = 6) => (number < 0 ? `(${digits(number, count)})` : digits(number, count));
// Return a product that does not break within a line.
export const times = (...factors) => factors.map((factor, k) => (k ? bracketed(factor) : digits(factor))).join("\u00a0×\u00a0");

// Return the value after a change with as many digits as show that it has changed.
export function changedText(now, before) {
  for (let count = 4; count < 8; count++) if (digits(now, count) !== digits(before, count)) return digits(now, count);
  return digits(now, 4);
}

// Return the texts of a number before and after a step: four digits, or as many as show that it has moved.
export function movedTexts(before, after) {
  const short = [before, after].map(number => digits(number, 4));
  return short[0] === short[1] && before !== after ? toldApart([before, after]) : short;
}

// Return the run in which single numbers are nudged: of a graph of arrays, that of its entries.
/** @param {Run} run */
export const inNumbers = run => run.ofEntries ?? run;

// Return a large count in words: three, 12, about 1.2 · 10²⁰.
const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
export function inWords(count) {
  if (count < COUNTS.length) return COUNTS[count];
  if (count < 1e6) return `${count}`;
  const [first, power] = count.toExponential(1).split("e+");
  return Number.isFinite(count) ? `about ${first} · 10${[...power].map(digit => RAISED[digit]).join("")}` : "more than 10³⁰⁸";
}

// Return a fragment of the parts of a template: text, numbers as text, elements. A line break in the template is a space.
export function say(texts, ...parts) {
  const found = document.createDocumentFragment();
  texts.forEach((text, k) => {
    appendText(found, text.replace(/\n */g, " "));
    if (k < parts.length) found.append(...[parts[k]].flat());
  });
  return found;
}

// Return parts of a sentence in a row: a, b and c.
export const listed = parts => parts.flatMap((part, k) => [k === 0 ? "" : k < parts.length - 1 ? ", " : " and ", part]);

export const timesAsMuch = slope => (Math.abs(slope) === 1 ? "just as much" : `${digits(Math.abs(slope))} times as much`);
// Return a sum of products, 1 × 3 + 8 × 1.
export const sumOfProducts = products =>
  products.map((factors, k) => factors.map((f, j) => (j || k ? bracketed(f, 4) : digits(f, 4))).join("\u00a0×\u00a0")).join(" + ");

// Return the words that the sentences of a run share.
/** @param {Run} run */
export function wordsOf(run) {
  const name = v => run.formula(run.variables[v].written);
  return {
    name,
    z: () => name(run.z),
    total: v => run.formula(run.variables[v].total),
    // "z grows 9 times as much as x₁", for every sign of the derivative.
    growth: (v, slope, about = "") =>
      slope === 0
        ? say`${name(run.z)} hardly changes with ${name(v)}`
        : say`${name(run.z)} ${slope < 0 ? "falls" : "grows"} ${about}${timesAsMuch(slope)} as ${name(v)}${slope < 0 ? " grows" : ""}`,
    // "rises by 0.91", or "changes by −0.89": beside it stands the product that the derivative says, with its sign
    moves: change => (change === 0 ? say`stays the same` : say`${change < 0 ? "changes" : "rises"} by ${happened(digits(change))}`),
    becomes: value => (Number.isNaN(value) ? say`is not a number` : say`becomes ${happened(digits(value))}`),
  };
}

export const happened = text => html("b", { class: "happened" }, text); // orange: what the nudge really does
export const predicted = text => html("b", { class: "predicted" }, text); // blue: what the derivative says
export const strong = text => html("b", {}, text);

// Return the texts of three numbers that stand in one line of so many letters: with fewer digits if they would meet, as long as these
// tell them apart, then without the one in the middle.
export function besideEachOther(numbers, letters) {
  const fewer = [5, 4, 3, 2].map(count => numbers.map(number => digits(number, count)));
  const ways = [toldApart(numbers), ...fewer.filter(texts => new Set(texts).size === new Set(numbers).size)];
  return ways.find(texts => texts.join("  ").length <= letters) ?? ways.at(-1).with(1, "");
}
