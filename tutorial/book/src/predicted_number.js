// The number that an exercise asks for.

import { finiteNumber } from "../../../viz/page/src/answers.js";

const CLOSE = 1e-9; // relative error of a number that is right

export const isRight = (number, right) => Math.abs(number - right) <= CLOSE * Math.max(1, Math.abs(right));

// Return the number that a text writes, 9, -2.5 or 1/3; else nan.
export function numberIn(text) {
  try {
    return finiteNumber(text);
  } catch {
    return NaN; // the form waits for a number
  }
}
