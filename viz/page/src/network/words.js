// What the page says about a network: a template for each sentence of the acts Nudge and Use.

import { html } from "../dom.js";
import { indicesOf } from "../numbers.js";
import { digits, happened, inWords, listed, predicted, say, strong, times, wordsOf } from "../say.js";

// Return the name of an entry, as parts: W with its indices below, which begin at 1, or bias[0] as the program writes it.
export function nameOfEntry(name, entry, shape) {
  const at = indicesOf(entry, shape), isLetter = shape.length === 2 && /^\p{Lu}$/u.test(name.textContent);
  return [name, ...(!shape.length ? [] : [isLetter ? html("sub", {}, at.map(i => i + 1).join(",")) : `[${at.join(",")}]`])];
}

/** @param {Run} run */
export function networkWords(run) {
  const { name, z } = wordsOf(run), total = run.network.entries;
  const all = total.toLocaleString("en");
  const entryName = (leaf, entry) => {
    const { shape, written } = run.variables[leaf];
    return say`${nameOfEntry(run.formula(written), entry, shape)}`;
  };
  const moves = change => (change === 0 ? say`stays the same`
    : say`${change < 0 ? "falls" : "rises"} by ${happened(digits(Math.abs(change), 4))}`);
  const several = (count, one) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
  // "35 of 72 numbers of conv2d, 9 of 18 of max_pool2d and z"
  function reached(found, most = 3) {
    const parts = found.slice(0, most).map(({ box, count, of },
      k) => `${count} of ${of}${k ? "" : of === 1 ? " number" : " numbers"} of ${box.name}`);
    return say`${listed([...parts, z()])}`;
  }
  return {
    entryName, total,
    readout(leaf, entry, h, { kind, rise, promised, slope }, after) {
      const x = entryName(leaf, entry), by = `${h < 0 ? "−" : "+"} ${digits(Math.abs(h), 4)}`;
      if (h === 0) return say`${x} does not move, and neither does ${z()}.`;
      const promise = say`${times(Number(slope.toPrecision(4)), h)} = ${predicted(digits(promised, 4))}`;
      if (kind === "not finite") return say`${x} ${by} → ${z()} becomes ${happened(digits(after))}`;
      return say`${x} ${by} → ${z()} ${moves(rise)}, ${kind === "far" ? "far from" : kind} ${promise}`;
    },
    first(leaf, found) {
      const size = run.variables[leaf].shape.reduce((a, b) => a * b, 1);
      return size === 1
        ? say`You have nudged ${name(leaf)}. It changes ${reached(found)}.`
        : say`You have nudged one of the ${size.toLocaleString("en")} entries of ${name(leaf)}. It changes ${reached(found)}.`;
    },
    layers: found => say`Each box shows its numbers now, and below them the change: orange rose, blue fell. The nudge reaches
      ${inWords(found.length)} ${found.length === 1 ? "box" : "boxes"}; all others stay as they are.`,
    later: (leaf, found, before) =>
      say`Now the nudge is in ${name(leaf)}, a later layer. It changes ${reached(found)}. The ${before === 1 ? "box" : "boxes"} before it
        ${before === 1 ? "stays as it is" : "stay as they are"}.`,
    smaller: (slope, ratio) =>
      say`Why only “about”? This nudge is ten times smaller. Rise ÷ nudge is now ${happened(digits(ratio, 4))}, and the derivative is
        ${predicted(digits(slope, 4))}: the smaller the nudge, the closer they are.`,
    all: leaf => say`One backward pass has found the slopes of all ${all} entries. At the right are those of
      ${name(leaf)}: click one and the curve confirms it.`,
    predict: ({ leaf, entry, amount, open, said }, slope) => (open
      ? say`The derivative of ${z()} for ${entryName(leaf, entry)} is ${strong(digits(slope, 4))}. A nudge will change this entry by
        ${digits(amount, 4)}. How much will ${z()} change?`
      : said?.cloneNode(true) ?? say`The derivative ${digits(slope, 4)} times the nudge ${digits(amount, 4)} is about the change of
        ${z()}.`),
    yourTurn: () => say`Your turn: choose a layer, a parameter, an entry. Which entry raises ${z()} most, and which lowers it most?
      “Steepest entry” finds the answer.`,
    last: () => say`A nudge answers for one entry. This network has ${all}: so many runs, or one backward pass. That
      comes next.`,
    chosen: (leaf, entry, found) => say`You have nudged ${entryName(leaf, entry)} of ${name(leaf)}. It changes ${reached(found)}.`,
    still: () => say`Nothing changes: this entry has no effect on ${z()} here.`,
    slopes: (slope, measured) =>
      say`One backward pass computes the derivative of ${z()} for all ${all} entries. A nudge checks one of them: here
        ${strong(digits(slope, 4))}, and the curve says ${happened(digits(measured,
          4))}. Most orange: a nudge there raises ${z()} most; most
        blue: lowers it most.`,
    // Use
    answers: () => say`The backward pass has found a derivative for each of the ${all} entries. They stand below
      the layers: orange entries raise ${z()}, blue ones lower it.`,
    check: (found, leaves) => say`Do you believe it? The page has nudged ${found.length === 1 ? "one entry"
      : `${inWords(found.length)} entries`}, the steepest of ${found.length === leaves ? "each parameter"
      : `each of the first ${inWords(found.length)} of ${leaves} parameters`}, and divided the change of ${z()} by the nudge.
      ${found.every(({ agrees }) => agrees) ? "Both ways agree." : "At a kink the two ways may differ."}`,
    step: (rate, before, after) =>
      rate === 0
        ? say`Drag the slider: each entry moves by the learning rate times its derivative, downhill.`
        : say`Each entry moves by ${digits(rate)} times its derivative, downhill. ${z()} ${goes(before, after)}. This is one step of
          ${strong("gradient descent")}.`,
    tooFar: (rate, before, after) =>
      after >= before || !Number.isFinite(after)
        ? say`A larger step is not always better. With ${digits(rate)}, ${z()} ${goes(before, after)}: a derivative only tells what happens
          nearby.`
        : say`A step can be too far, because a derivative only tells what happens nearby. Here ${z()} still falls with ${digits(rate)}.`,
    taken: count => say`You have taken ${several(count, "step")}. At the new place the derivatives are others, so the page has run the
      backward pass again. Take more steps, and watch ${z()} fall.`,
    end: () => say`This is how a network learns: forward, backward, a step on all entries at once, and again, thousands of times.`,
    flat: () => say`All derivatives are 0 here, or not finite, so they name no direction for a step.`,
    useReadout: (rate, before, after, promised) =>
      rate === 0
        ? say`No step yet: drag the slider, and ${z()} begins to fall.`
        : say`${z()} ${goes(before, after)}; the derivatives promised ${predicted(digits(promised, 4))}`,
  };

  function goes(from, to) {
    if (!Number.isFinite(to)) return say`becomes ${happened(digits(to))}`;
    if (to === from) return say`stays ${digits(to, 4)}`;
    return say`${to < from ? "falls" : "rises"} from ${digits(from, 5)} to ${happened(digits(to, 5))}`;
  }
}
