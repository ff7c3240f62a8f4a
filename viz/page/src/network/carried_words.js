// What the page says of a network that it cannot compute.

import { digits, happened, predicted, say, strong, times, wordsOf } from "../say.js";

/** @param {Run} run */
export function carriedWords(run) {
  const { name, z } = wordsOf(run), all = run.network.entries.toLocaleString("en");
  const why = () => run.network.why ?? "The page computes other numbers than Python.";
  return {
    first: (leaf, { slope }) => say`${why()} Python computed this: the steepest entry of ${name(leaf)} has the slope
      ${predicted(digits(slope, 4))}.`,
    layers: () => say`Each box shows its numbers, and below them the derivative of ${z()} with respect to them: where it is orange,
      ${z()} rises with the entry; where it is blue, ${z()} falls.`,
    steepest: (leaf, { slope }) => say`Of all ${all} entries, an entry of ${name(leaf)} is the steepest: ${z()} changes
      ${predicted(digits(slope, 4))} times as much as it.`,
    last: () => say`A nudge answers for one entry, and a run of a large network is slow. One backward pass has found the slopes of all
      ${all}.`,
    nothing: () => say`${why()} The boxes show what is known: values, and derivatives of ${z()}.`,
    readout(entry, h, slope, rise) {
      const promise = say`${times(Number(slope.toPrecision(4)), h)} = ${predicted(digits(slope * h, 4))}`,
        by = `${h < 0 ? "−" : "+"} ${digits(Math.abs(h), 4)}`;
      if (rise === null) return say`${entry} ${by} → ${z()} changes by about ${promise}`;
      const moves = say`${rise < 0 ? "falls" : "rises"} by ${happened(digits(Math.abs(rise), 4))}`;
      return say`${entry} ${by} → ${z()} ${moves}; the tangent says ${promise}`;
    },
    shares: () => say`The share is what a parameter adds to the fall of ${z()} in a step of descent.`,
    answers: () => say`One backward pass has found a derivative for each of the ${all} entries. They stand below the layers: orange entries
      raise ${z()}, blue ones lower it.`,
    step: () => say`In a step of ${strong("gradient descent")} each entry moves by the learning rate times its derivative. ${why()} So the
      slider shows what the derivatives promise.`,
    promise: (rate, before, after) => say`With ${digits(rate, 4)} the derivatives promise: ${z()} goes from ${digits(before, 5)} to
      ${predicted(digits(after, 5))}`,
    end: () => say`A derivative only tells what happens nearby. In Python, take the step, compute ${z()} again, and compare it with the
      promise.`,
    flat: () => say`All derivatives are 0 here, or not finite, so they name no direction for a step.`,
  };
}
