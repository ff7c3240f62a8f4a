// The question of act 2 for a network: an entry that was not nudged yet will be, and its slope is given.

import { asking } from "../acts/asking.js";
import { digits, say } from "../say.js";

const LEAST = 1e-9; // of z: the page does not ask about a smaller change

// Return the question {leaf, entry, ...} about a nudge, as `asking` makes it; null if z does not change about as the slope says.
/** @param {Run} run */
export function networkQuestion(run, place, told, { leaf, entry, h: amount }) {
  const { slope, promised, rise, kind } = place.compare(leaf, entry, amount), x = () => told.entryName(leaf, entry);
  if (!["about", "exactly"].includes(kind) || !(Math.abs(promised) > LEAST * Math.abs(place.z))) return null;
  const number = place.arrays[leaf][entry], all = place.gradient(leaf), sum = all.reduce((a, b) => a + b, 0);
  const before = [
    ...(all.length > 1 ? [[sum * amount, () => say`You added the slopes of all ${all.length.toLocaleString("en")} entries. Only ${x()}
      moves; the others stand still.`]] : []),
    [slope * number, () => say`You multiplied the derivative by the entry, ${digits(number, 4)}. Multiply it by the nudge.`],
    [slope * (number + amount), () => say`You multiplied the derivative by the new entry. Multiply it by the nudge.`],
  ];
  return { leaf, entry, ...asking(run, { x, z: place.z, slope, amount, promised, rise }, { before }) };
}
