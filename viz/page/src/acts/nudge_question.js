// The question of act 2 about a graph of numbers: how much will z change? Its mistakes are about paths.

import { tidy } from "../nudging/nudging.js";
import { MOST_PATHS, countPaths, effects, firstPaths } from "../nudging/paths.js";
import { digits, inWords, say, sumOfProducts, times, wordsOf } from "../say.js";
import { asking } from "./asking.js";

const MOST_BY_HAND = 6; // arrows on all paths together; where there are more, the derivative is given

// Return the question {k, byHand, ...} as `asking` makes it, or null if no input has a tangent with a slope.
/** @param {Run} run */
export function nudgeQuestion(run, place, guided) {
  const k = askedInput(run, place, guided);
  if (k === undefined) return null;
  const v = run.live.inputs[k], count = countPaths(run)[v];
  const paths = count <= MOST_PATHS ? firstPaths(run, v, MOST_PATHS, place.partials) : [];
  const byHand = !run.picker && paths.length > 0 && paths.flat().length <= MOST_BY_HAND;
  const twice = tidy(place.usual(k) * -2), other = place.holds(k, twice) ? twice : -place.usual(k); // not the nudge that was seen
  const amount = k === guided ? other : place.usual(k);
  const { promised, rise } = place.compare(k, amount), used = byHand ? paths : [], words = questionWords(run, place, k, used, amount);
  const nudge = { x: () => run.formula(run.variables[v].written), z: place.z, slope: place.slopes[k], amount, promised, rise };
  return { k, byHand, ...asking(run, nudge, { ...wrongAnswers(run, place, k, used, amount, words), words }) };
}

// Return another input than the guided one, best one with two or three short paths; the guided one if it is the only one.
function askedInput(run, place, guided) {
  const counts = countPaths(run);
  const fits = k =>
    run.live.inputs[k] !== run.z &&
    place.behaviour(k).kind === "smooth" &&
    Number.isFinite(place.slopes[k]) &&
    Math.abs(place.slopes[k]) * place.span(k) > 10 * place.slack;
  const inputs = run.live.inputs.map((_, k) => k).filter(fits), cost = k => {
    const v = run.live.inputs[k], paths = counts[v] <= MOST_PATHS ? firstPaths(run, v, MOST_PATHS, place.partials) : null;
    const arrows = paths?.flat().length ?? Infinity;
    return (k === guided ? 100 : 0) + (arrows > MOST_BY_HAND ? 50 : paths.length > 1 ? 0 : arrows > 1 ? 10 : 20);
  };
  return inputs.sort((a, b) => cost(a) - cost(b) || b - a)[0];
}

// Return {before, after}, each [[wrong answer, () => why]]; the likeliest mistake first.
function wrongAnswers(run, place, k, paths, h, words) {
  const products = paths.map(path => path.reduce((sum, e) => sum * place.partials[e], 1));
  const factors = [...new Set(paths.flat())].map(e => place.partials[e]);
  const arrived = paths.length ? [...effects(run, place.partials, run.live.inputs[k], h).arrived.entries()] : [];
  return {
    before: [
      ...(paths.length > 1
        ? [
            ...products.map((product, j) => [h * product, () => words.onePath(paths[j], product)]),
            [h * products.reduce((a, b) => a * b, 1), () => words.multiplied],
            [products.reduce((a, b) => a * h * b * h, 1), () => words.multiplied],
          ]
        : []),
      ...(factors.length > 1 ? [[h * factors.reduce((a, b) => a + b, 0), () => words.added]] : []),
    ],
    after: arrived
      .filter(([v, amount]) => amount !== 0 && v !== run.z && v !== run.live.inputs[k])
      .map(([v, amount]) => [amount, () => words.tooEarly(v)]),
  };
}

// What is said of the paths; without paths the usual words remain.
function questionWords(run, place, k, paths, h) {
  if (!paths.length) return {};
  const { name, z } = wordsOf(run), x = () => name(run.live.inputs[k]), nudge = digits(h), several = paths.length > 1;
  const slope = place.slopes[k];
  const written = path => times(...path.map(e => Number(place.partials[e].toPrecision(4))));
  const over = path => (path.length > 1 ? ["through ", name(run.edges[path[0]].output)] : ["straight along the arrow"]);
  const sum = sumOfProducts(paths.map(path => path.map(e => place.partials[e])));
  const products = () => paths.flatMap((path, j) => [j === 0 ? "" : j < paths.length - 1 ? ", " : ", and ", written(path)]);
  return {
    hints: [
      several
        ? say`Which arrows leave ${x()}? Each of them begins a path to ${z()}.`
        : say`Follow the arrows from ${x()} to ${z()}. There is only one path.`,
      several
        ? say`Multiply the factors along each path: ${products()}.`
        : paths[0].length > 1
          ? say`Multiply the factors along the path: ${written(paths[0])}.`
          : say`The path has only one arrow. Its factor is the derivative.`,
      several
        ? say`Add what the paths give. The sum is the derivative. Now multiply by the nudge, ${nudge}.`
        : say`This is the derivative. Now multiply by the nudge, ${nudge}.`,
    ],
    right: (rise, promised) =>
      say`Right: ${sum !== digits(slope) ? `${sum} = ${digits(slope)}, and ` : ""}${times(slope, h)} = ${digits(promised)}.
        Look at ${z()}: it ${rise < 0 ? "fell" : "rose"} by ${digits(Math.abs(rise))}.`,
    onePath: (path, product) =>
      say`${digits(product * h)} is what arrives ${over(path)} (${times(product, h)}). But ${x()} reaches ${z()} along
        ${inWords(paths.length)} paths: add what arrives along the ${paths.length > 2 ? "others" : "other"}.`,
    multiplied: say`You multiplied the paths. Along a path factors multiply, but over several paths effects add.`,
    added: several
      ? say`You added all factors. Multiply along each path first: ${products()}. Then add.`
      : say`You added the factors. Along a path, factors multiply.`,
    tooEarly: v => say`That is what arrives at ${name(v)}. Follow the path further, to ${z()}.`,
    notYet: several
      ? say`Not yet. Find the ${inWords(paths.length)} paths from ${x()} to ${z()}, multiply along each, then add.`
      : say`Not yet. Multiply the ${paths[0].length > 1 ? "factors along the path, then multiply" : "factor on the arrow"} by the nudge.`,
  };
}
