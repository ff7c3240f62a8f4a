// What the page says about the use of derivatives. Each sentence is a template.

import { checks } from "../nudging/descent.js";
import { digits, happened, inWords, predicted, say, strong, timesAsMuch, wordsOf } from "../say.js";
import { nudgeSentences } from "./nudge_sentences.js";
import { guidingInput } from "./nudge_steps.js";

/** @param {Run} run */
export function useSentences(run, descent) {
  const { truth } = nudgeSentences(run, descent.places[0]);
  const { name, z } = wordsOf(run), inputs = run.live.inputs, one = inputs.length === 1, x = k => name(inputs[k]);
  const toward = () => (descent.sign < 0 ? "smaller" : "larger"), found = () => checks(descent.place);
  const near = number => digits(number, 4), against = () => (descent.sign < 0 ? "against" : "along");
  function changes(from, to) {
    const goes = to < from ? "falls" : "rises";
    if (Number.isNaN(to)) return say`is not a number`;
    if (!Number.isFinite(to)) return say`becomes ${near(to)}`;
    if (to === from) return say`stays ${near(to)}`;
    return near(to) === near(from)
      ? say`${goes} by ${happened(near(Math.abs(to - from)))}`
      : say`${goes} from ${near(from)} to ${happened(near(to))}`;
  }

  const promise = rate =>
    near(descent.promised(rate)) === near(descent.place.z)
      ? say`a change of ${predicted(near(rate * descent.pace))}`
      : predicted(near(descent.promised(rate)));
  const canMove = () => Number.isFinite(descent.place.z) && descent.slopes.some(slope => slope !== 0);

  function whyNot() {
    if (!Number.isFinite(descent.place.z)) return say`${z()} is not finite here, so a step cannot make it smaller.`;
    const are = descent.place.slopes.every(Number.isFinite) ? "All derivatives are 0 here" : "The derivatives here are 0 or not finite";
    return say`${are}, so they name no direction for a step.`;
  }

  return {
    canMove,
    answers() {
      const k = guidingInput(run), slope = descent.place.slopes[k];
      const most = one
        ? "The backward pass has found this number."
        : `The same backward pass has found the answer for each of the ${inWords(inputs.length)} ${run.nouns}.`;
      if (truth(k)) return truth(k);
      if (slope === 0) return say`If ${x(k)} grows a little, ${z()} hardly changes: the derivative is 0. ${most}`;
      return say`If ${x(k)} grows a little, ${z()} ${slope < 0 ? "falls" : "grows"} ${timesAsMuch(slope)}. ${most}`;
    },
    check() {
      const all = found(), agreeing = all.filter(({ kind }) => kind === "smooth"), sizes = new Set(all.map(({ h }) => h));
      const same = agreeing.every(({ ratio, slope }) => digits(ratio) === digits(slope));
      const ask = say`Do you believe it? Nudge ${one ? x(0) : `each ${run.noun}`}
        ${sizes.size === 1 ? `by ${digits(all[0].h)}` : "a little"}, and divide the change of ${z()} by the nudge.`;
      if (agreeing.length === all.length)
        return say`${ask} Both ways agree${same ? "" : "; the small difference comes from the bend of the curve"}.`;
      if (!agreeing.length) return say`${ask} Here the two ways cannot agree. The table says why.`;
      return say`${ask} Both ways agree for ${inWords(agreeing.length)} of ${inWords(all.length)} ${one ? run.noun : run.nouns}. The table
        says what is special about the ${all.length - agreeing.length === 1 ? "other" : "others"}.`;
    },
    direction() {
      if (!canMove()) return say`${whyNot()} Gradient descent cannot begin at this place.`;
      const { slopes } = descent, largest = slopes.reduce((best, slope, k) => (Math.abs(slope) > Math.abs(slopes[best]) ? k : best), 0);
      if (one)
        return say`To make ${z()} ${toward()}, move ${x(0)} ${against()} its derivative: the larger the derivative, the longer the step.`;
      return say`${x(largest)} acts on ${z()} most. To make ${z()} ${toward()}, move each ${run.noun} ${against()} its derivative: the
        larger the derivative, the longer ${run.picker ? "its step" : "the arrow"}.`;
    },
    step: rate =>
      rate === 0
        ? say`Drag the slider: ${one ? x(0) : `each ${run.noun}`} moves ${against()} its derivative, by the step size times it.`
        : say`${one ? x(0) : `Each ${run.noun}`} moves ${against()} its derivative, by ${digits(rate)} times it. ${z()}
          ${changes(descent.place.z, descent.zAfter(rate))}. ${descent.isTooFar(rate) ? "This step is too far." : say`This is one step of
            ${strong(descent.sign < 0 ? "gradient descent" : "gradient ascent")}.`}`,
    tooFar(rate) {
      if (!descent.tooFar) {
        const here = say`Here it is not so: with each step on the slider, ${z()} ${descent.sign < 0 ? "falls" : "rises"}.`;
        return say`A step can be too far, because a derivative only tells what happens nearby.
          ${run.compares ? "This graph cannot tell: it is one branch of the program." : here}`;
      }
      if (!descent.isTooFar(rate))
        return say`With ${digits(rate)}, ${z()} ${changes(descent.place.z, descent.zAfter(rate))}. With ${digits(descent.tooFar)} the step
          is too far.`;
      return say`A larger step is not always better. With ${digits(rate)}, ${z()} ${changes(descent.place.z, descent.zAfter(rate))}: a
        derivative only tells what happens nearby.`;
    },
    last: () =>
      say`A network learns in the same way, in thousands of such steps: its error takes the place of ${z()}, its weights that of
        ${one ? x(0) : "the inputs"}.`,
    taken() {
      const count = descent.places.length - 1, at = descent.place.z;
      if (!Number.isFinite(at))
        return say`After ${inWords(count)} step${count === 1 ? "" : "s"} ${z()} is not a finite number. Start again with a smaller step.`;
      return say`You have taken ${inWords(count)} step${count === 1 ? "" : "s"}. At the new place the derivatives may be different, so the
        page has run the backward pass again.`;
    },
    readout: rate =>
      rate === 0
        ? say`No step yet: drag the slider, and ${z()} begins to ${descent.sign < 0 ? "fall" : "rise"}.`
        : say`${z()} ${changes(descent.place.z, descent.zAfter(rate))}; the derivatives promised ${promise(rate)}`,
    note(view) {
      const runs = inputs.length + 1;
      if (view === "answers")
        return say`${one ? "Is this number" : "Are these numbers"} right? The next step nudges ${one ? x(0) : `each ${run.noun}`} to find
          out.`;
      if (view === "check")
        return say`Nudging took ${inWords(runs)} runs of the forward pass: one for ${z()}, and one for ${one ? x(0) : `each ${run.noun}`}.
          The chain rule took one forward pass and one backward pass, however many inputs there are.`;
      return say`After a step the derivatives may be different. So the backward pass runs again before the next step.`;
    },
  };
}
