// How much will z change? A question about any nudge, of a number or of an entry. A wrong answer gets a reason, never the right number.

import { finiteNumber } from "../answers.js";
import { digits, say, times, wordsOf } from "../say.js";

const RIGHT = 0.03, WRONG = 0.008; // relative errors of an answer

// Return the question {amount, open, said, label, hints, judge(text)} about a nudge of x by `amount`, where z has this slope; judge returns
// {right, text}, or throws an error if the text is not a number. `before` and `after` are [[wrong answer, () => why]] of this graph, which
// come before and after those of any graph; `words` take the place of the usual ones.
/** @param {Run} run */
export function asking(run, { x, z, slope, amount, promised, rise }, { before = [], after = [], words = {} }) {
  const told = { ...usualWords(run, x, slope, amount), ...words }, near = (a, b, error) => Math.abs(a - b) <= error * Math.abs(b);
  const usual = [
    [slope, () => told.derivative], [-promised, () => told.sign], [z + promised, () => told.newValue], [amount, () => told.nudge],
    [slope / amount, () => told.divided],
  ];
  const reasons = [...before, ...usual, ...after].filter(([wrong]) => Number.isFinite(wrong)
    && Math.abs(wrong - promised) > 2 * RIGHT * Math.abs(promised));
  return {
    amount, open: true, said: null, label: told.label, hints: told.hints,
    judge(text) {
      const number = finiteNumber(text), right = near(number, promised, RIGHT) || near(number, rise, RIGHT);
      const reason = reasons.find(([wrong]) => near(number, wrong, WRONG));
      return { right, text: right ? told.right(rise, promised) : reason ? reason[1]() : told.notYet };
    },
  };
}

function usualWords(run, x, slope, h) {
  const { z } = wordsOf(run), nudge = digits(h);
  return {
    label: say`${z()} will change by about`,
    hints: [
      say`The derivative says how many times as much ${z()} changes as ${x()}.`, say`${x()} changes by ${nudge}.`,
      say`Multiply the derivative by the nudge: ${times(slope, h)}.`,
    ],
    right: (rise, promised) => say`Right: ${times(slope, h)} = ${digits(promised)}. Look at ${z()}: it ${rise < 0 ? "fell" : "rose"} by
      ${digits(Math.abs(rise))}.`,
    derivative: say`That is the derivative. Multiply it by the nudge, ${nudge}.`,
    sign: say`The size is right, but the sign is the other way round.`,
    newValue: say`That is the new value of ${z()}. The question is how much ${z()} changes.`,
    nudge: say`${z()} would change by ${nudge} only if its derivative were 1.`,
    divided: say`You divided by the nudge. Multiply the derivative by it.`,
    notYet: say`Not yet. Multiply the derivative by the nudge.`,
  };
}
