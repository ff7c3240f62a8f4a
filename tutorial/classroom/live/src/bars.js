// Bars of votes, in one row for each choice.

import { made } from "./dom.js";

const WIDEST = 62; // percent of the row, so that numbers have room

export const sum = counts => counts.reduce((total, n) => total + n, 0);
export const percent = (n, of) => (of ? `${Math.round((100 * n) / of)} %` : "–");

// Return the bar of one choice: how many of how many.
export function bar(n, of, older = false) {
  const filled = made("i");
  filled.style.width = `${of ? (WIDEST * n) / of : 0}%`;
  return made("div", { className: older ? "bar older" : "bar" }, filled, made("b", {}, `${n}`), made("small", {}, percent(n, of)));
}
