// What the page says about a nudge. Each sentence is a template: it reads well for every graph, input and number.

import { isChange } from "../nudging/nudging.js";
import { MOST_PATHS } from "../nudging/paths.js";
import { bracketed, digits, inWords, listed, predicted, say, strong, sumOfProducts, times, wordsOf } from "../say.js";

/** @param {Run} run */
export function nudgeSentences(run, place) {
  const { name, z, total, growth, moves, becomes } = wordsOf(run), inputs = run.live.inputs;
  const behaviour = k => place.behaviour(k), value = k => run.variables[inputs[k]].text;

  // What is so about a point without a derivative, or with a doubtful one.
  const truths = {
    input: k => say`${name(inputs[k])} is ${value(k)}. A nudge does not change it.`,
    value: k =>
      say`${z()} is ${digits(place.z)}${Number.isNaN(place.z) ? ", which means “not a number”" : ""}. A nudge of ${name(inputs[k])} cannot
        show how much it changes.`,
    kink: (k, { right, left }) =>
      say`${z()} has a kink here: to the right of ${name(inputs[k])} = ${value(k)} its slope is ${strong(digits(right, 4))}, to the left
        ${strong(digits(left, 4))}. At the kink the rule takes ${total(inputs[k])} = ${digits(place.slopes[k])}.`,
    jump: (k, { right, left }) =>
      say`${z()} jumps at ${name(inputs[k])} = ${value(k)}: ${right ? say`a tiny step to the right changes it by
        ${digits(right, 4)}` : say`a tiny step to the left changes it by ${digits(left, 4)}`}. The rule says ${total(inputs[k])} =
        ${digits(place.slopes[k])}, but there is no tangent here.`,
    steep: k =>
      say`${z()} is infinitely steep at ${name(inputs[k])} = ${value(k)}. The smaller the nudge, the larger the ratio, so the derivative is
        not a finite number.`,
    edge: (k, { right, left }) =>
      right || left
        ? say`${z()} has a finite value at ${name(inputs[k])} = ${value(k)}, but not to the ${right ? "left" : "right"} of it. Nudge to the
          ${right ? "right" : "left"} only.`
        : takesIntegers(k)
          ? say`${z()} has a value for integers such as ${name(inputs[k])} = ${value(k)}, but not between them. So there is no small nudge,
            and no derivative.`
          : say`${z()} has a finite value at ${name(inputs[k])} = ${value(k)}, but not beside it. So there is no small nudge, and no
            derivative.`,
    differs: (k, { right }) =>
      say`Nudges lead to the slope ${digits(right, 4)}, but the rule says ${total(inputs[k])} = ${digits(place.slopes[k])}. So one of its
        partials is wrong, or is a choice.`,
  };
  const takesIntegers = k => Number.isInteger(place.x[k]) && [1, -1].some(step => Number.isFinite(place.nudged(k, step)[run.z]));
  const truth = k => truths[behaviour(k).kind]?.(k, behaviour(k));

  // "6 times as large", for every sign of a factor
  function enlarged(f) {
    if (!Number.isFinite(f)) return `is multiplied by ${digits(f)}`;
    if (f === 0) return "is lost, times 0";
    if (f === 1) return "stays as large as it is, times 1";
    if (f === -1) return "only changes its sign, times −1";
    return f < 0 ? `becomes ${digits(-f, 4)} times as large and changes its sign` : `becomes ${digits(f, 4)} times as large`;
  }

  const because = e => {
    const { ratio, partial } = run.edges[e], symbol = run.quantities[partial]?.symbol;
    return [
      run.formula(ratio), " = ", ...(symbol === null || symbol === undefined ? [] : [run.formula(symbol), " = "]),
      digits(place.partials[e], 4),
    ];
  };
  const factorsOf = path => path.map(e => place.partials[e]);
  const product = path => factorsOf(path).reduce((a, b) => a * b, 1);
  const through = path => path.slice(0, -1).map(e => run.edges[e].output);
  const bracketedSum = numbers => numbers.map((number, k) => (k ? bracketed(number, 4) : digits(number, 4))).join(" + ");
  const theSlope = k => place.slopes[k];
  const about = k => (place.compare(k, place.usual(k)).kind === "exactly" ? "" : "about ");
  // What all paths together give. Where z has no tangent, this number comes from the rule alone, and the sentence says so.
  function conclusion(k) {
    if (!Number.isFinite(theSlope(k))) return "";
    if (truth(k)) return say` So the rule says ${total(inputs[k])} = ${digits(theSlope(k))}.`;
    return say` So ${growth(inputs[k], theSlope(k), about(k))}.`;
  }

  const plural = (count, one) => `${inWords(count)} ${one}${count === 1 ? "" : "s"}`;

  return {
    truth,
    first(k) {
      if (truth(k)) return truth(k);
      if (inputs[k] === run.z)
        return say`You have nudged ${name(run.z)}. No function computes it, so it grows just as much as the nudge. Drag the slider.`;
      const changed = run.variables.filter((_, v) => isChange(place.values[v], place.nudged(k, place.usual(k))[v])).length - 1;
      const where = run.picker ? "Each box says what they were" : "The small labels say by how much";
      const seen = changed > 0 ? `: the values that depend on it change. ${where}` : ", but no other value changes";
      const others = inputs.length > 1 && !run.slides; // a slide offers the inputs that it shows
      return say`You have nudged ${name(inputs[k])}${seen}. Drag the slider${others ? `, or pick another ${run.noun}` : ""}.`;
    },
    arrow(path) {
      const e = path[0], { input, output } = run.edges[e], via = run.via(e);
      const straight = output === run.z && !via ? "straight " : "";
      const way = say`rom ${name(input)} ${via ? say`over ${via} ` : straight}to ${name(output)} the nudge
        ${enlarged(place.partials[e])}, because ${because(e)}.`;
      const factors = run.edgesFrom[input].filter(other => run.edges[other].output === output).map(other => place.partials[other]);
      if (factors.length === 1) return say`Each arrow multiplies. F${way}`;
      const which = factors.every(f => f === factors[0]) ? "each" : "one", together = factors.reduce((a, b) => a + b, 0);
      return say`Each arrow multiplies. Over ${which} of the ${inWords(factors.length)} arrows f${way}
        Over all of them it ${enlarged(together)}.`;
    },
    path(k, path, count) {
      const factors = factorsOf(path).map(f => digits(f, 4)), over = through(path);
      const way =
        over.length <= 3
          ? say`The path over ${listed(over.map(name))}`
          : say`The path over ${name(over[0])}, ${name(over[1])} and ${over.length - 2} more`;
      const list =
        factors.length === 2
          ? say`first times ${factors[0]}, then times ${factors[1]}`
          : factors.length <= 4
            ? say`times ${factors.join(", times ")}`
            : say`together times ${digits(product(path), 4)}`;
      return say`Along a path, factors multiply. ${way} ${path.some(run.via) ? "has" : "passes"}
        ${plural(factors.length, path.some(run.via) ? "factor" : "arrow")}:
        ${list}.${count === 1 && factors.length < 3 ? conclusion(k) : ""}`;
    },
    paths(k, { paths, count, idle }) {
      const carrying = count - idle, slope = digits(theSlope(k));
      const sum =
        paths.length > 1 && paths.length === carrying
          ? say`effects add: ${bracketedSum(paths.map(product))} = ${slope}.`
          : say`effects add. Here ${inWords(carrying)} ${carrying === 1 ? "path gives" : "paths add up to"}
            ${slope}.${idle ? ` Over ${inWords(idle)} more nothing arrives, because a factor is 0.` : ""}`;
      return say`Over several paths, ${sum}${conclusion(k)}`;
    },
    smaller(k) {
      if (behaviour(k).kind === "kink")
        return say`However small the nudge is, each side keeps its own slope. Move the slider to the other side, and look at the table
          again.`;
      if (truth(k))
        return say`However small the nudge is, the ratio in the table does not come close to
          ${behaviour(k).kind === "differs" ? "what the rule says" : "one number"}.`;
      const slope = digits(theSlope(k));
      return about(k)
        ? say`Why only “about”? In the table, the smaller the nudge, the closer the ratio comes to ${slope}. This limit is the derivative,
          ${total(inputs[k])} = ${slope}.`
        : say`The table shows the same ratio for each nudge, because ${z()}
          ${theSlope(k) === 0 ? "does not change" : "changes in a straight line"} with ${name(inputs[k])}. This ratio is the derivative,
          ${total(inputs[k])} = ${slope}.`;
    },
    question: ({ k, amount, byHand }) =>
      say`Your turn. ${name(inputs[k])} will ${amount < 0 ? "fall" : "grow"} by ${digits(Math.abs(amount))}. About how much will ${z()}
        change? ${byHand ? "Use the factors on the arrows." : say`The derivative is ${total(inputs[k])} = ${digits(theSlope(k))}.`}`,
    last() {
      const one = "that is enough; a network has millions", many = `you need ${inWords(inputs.length)}; a network needs millions`;
      return say`A nudge answers for one ${run.noun} only. Here ${inputs.length === 1 ? one : many}. Next: one backward pass answers
        for all.`;
    },
    // What is seen at an input that the user has picked.
    chosen(k, { paths: found, count, idle }) {
      if (truth(k)) return truth(k);
      const paths = count <= MOST_PATHS ? found : [], short = paths.length > 0 && paths.flat().length <= 6;
      const sum = sumOfProducts(paths.map(factorsOf)), slope = digits(theSlope(k));
      return say`Now you nudge ${name(inputs[k])}. It reaches ${z()} along
        ${plural(count, "path")}${idle ? `; ${inWords(idle)} of them ${idle === 1 ? "has" : "have"} a factor 0` : ""}${short ? say`, so its
          derivative is ${sum}${sum === slope ? "" : say` = ${strong(slope)}`}` : say`. Together they give its derivative,
            ${strong(slope)}`}.`;
    },
    // One line: what happened, and what the tangent says.
    readout(k, h) {
      const x = name(inputs[k]), { kind, rise, slope, promised } = place.compare(k, h);
      const head = say`${x} ${h < 0 ? "−" : "+"} ${digits(Math.abs(h))} → ${z()} `;
      const promise = say`${times(slope, h)} = ${predicted(digits(promised))}`;
      if (h === 0) return say`${x} does not move, and neither does ${z()}.`;
      if (kind === "not finite") return say`${head}${becomes(place.nudged(k, h)[run.z])}`;
      if (kind === "too small")
        return say`${x} ${h < 0 ? "−" : "+"} ${digits(Math.abs(h))} is ${x} again: the nudge is smaller than its last digit`;
      if (kind === "rounded") return say`${head}${moves(rise)}; ${promise} is lost in the rounding of ${z()}`;
      if (kind === "apart")
        return say`${head}${moves(rise)}${behaviour(k).kind === "differs" ? say`, but the rule says
          ${promise}` : "; there is no tangent here"}`;
      return say`${head}${moves(rise)}, ${kind === "far" ? "far from" : rise === 0 && promised === 0 ? "exactly" : kind} ${promise}`;
    },
    ratioNote(k, guess) {
      const slope = digits(theSlope(k));
      if (Number.isFinite(guess)) return answerToGuess(k, guess);
      if (truth(k))
        return behaviour(k).kind === "kink"
          ? say`From each side the ratio comes to its own slope.`
          : say`The ratio does not come to one number.`;
      return say`The ratio comes as close to ${slope} as you like, if the nudge is small enough. That is what “the derivative is ${slope}”
        means.`;
    },
  };

  // What came of the guess at the end of act 1.
  function answerToGuess(k, guess) {
    const rise = place.rise(k, place.usual(k)), right = place.z + rise, near = Math.abs(guess - right) <= 0.05 * Math.abs(rise);
    const same = Math.abs(guess - place.z - place.usual(k)) <= 0.05 * Math.abs(rise);
    return say`You guessed ${strong(digits(guess))}, and ${z()} is ${strong(digits(right))}.${near ? " Well done." : same ? say` Your guess
      would be right if ${z()} grew just as much as ${name(inputs[k])}.` : ""}`;
  }
}

// The sentence of an act that a graph cannot have.
/** @param {Run} run */
export const notLiveText = run => [
  run.notLive ?? "The page cannot compute this graph at other numbers.",
  ...(run.scalarGraphs ? ["Press Z to look inside a small function: there you can nudge each of its numbers."] : []),
].join(" ");
