// The data of a run at other starting values. Python wrote the program that computes its numbers, and their places in the texts.

import { all, made, math, sign } from "./dom.js";
import { settled } from "./nudging/nudging.js";
import { written, writtenMath } from "./numbers.js";
import { programs } from "./programs.js";

const DIGITS_ALONE = /^\d+$/;

// Return why a run cannot be shown at these starting values, in a sentence; null if it can.
/** @param {Run} run */
export function whyNotAt(run, x) {
  const { live } = run;
  if (!live) return run.notLive;
  if (!live.numbers) return "This page plays a loop of its own, which it cannot run at other numbers.";
  if (x.length !== live.inputs.length || !x.every(Number.isFinite)) return "Each input needs a number.";
  const values = live.values(x), started = live.values(live.start), held = live.conditions(started);
  const bad = firstNotFinite(run, values);
  if (bad) return `At these numbers ${bad} is not finite. The steps need finite numbers.`;
  const other = run.variables[live.choosing[live.conditions(values).findIndex((holds, k) => holds !== held[k])]];
  if (!other) return null;
  const branch = `At these numbers the function of ${other.name}, ${other.function}, takes its other branch and has another formula there.`;
  return `${branch} Make a page that starts at these numbers.`;
}

// Return what is inf or nan first: a value, a partial derivative, a total derivative; undefined if nothing is.
function firstNotFinite(run, values) {
  const partials = run.live.partials(values), isBad = number => !Number.isFinite(number), name = v => run.variables[v]?.name;
  const value = name(values.findIndex(isBad)), { output, input } = run.edges[partials.findIndex(isBad)] ?? {};
  const total = name(run.live.totals(partials).findIndex(isBad));
  return (
    value ??
    (input !== undefined
      ? `the partial derivative ∂${name(output)}/∂${name(input)}`
      : total && `the total derivative d${name(run.z)}/d${total}`)
  );
}

// Return the data of a run in which everything that depends on the starting values is that of `x`.
export function dataAt(data, x) {
  const live = programs[data.program], numbers = settled(at => numbersAt(live, at), x);
  const at = (item, field) => (item.n === undefined ? item : { ...item, [field]: inJson(numbers[item.n]), text: written(numbers[item.n]) });
  const questions = structuredClone(data.questions);
  for (const [n, path] of data.answers) {
    put(questions, path, inJson(numbers[n]));
    if (path[1] === "right") questions[path[0]].exact = false; // it may have been true for integers
  }
  return {
    ...data, numbers, questions, start: x, address: `start=${x.join()}&`, notFinite: null,
    steps: data.steps.map(step => (step.whyCases ? { ...step, why: caseOf(step.whyCases, numbers) } : step)),
    quantities: data.quantities.map(quantity => at(quantity, "number")),
    variables: data.variables.map(variable => at(variable, "data")),
  };
}

// Return the text that holds at these numbers: [the number of a comparison, the text where it is true, the text where it is false].
const caseOf = (cases, numbers) => (Array.isArray(cases) ? caseOf(cases[numbers[cases[0]] ? 1 : 2], numbers) : cases);

function numbersAt(live, x) {
  const values = live.values(x);
  return live.numbers(values, live.partials(values));
}

const inJson = number => (Number.isFinite(number) ? number : written(number).replace("−", "-"));

function put(tree, path, item) {
  const last = path.at(-1), within = path.slice(0, -1).reduce((part, key) => part[key], tree);
  within[last] = item;
}

// Fill in the numbers of a formula: those of `numbers`, or those of the starting point, which stand in it already.
export function fill(formula, numbers) {
  for (const place of all("[data-n]", formula)) {
    const number = numbers?.[place.dataset.n];
    if (number !== undefined) place.replaceChildren(numberIn(place, number));
    place.removeAttribute("data-n");
    place.removeAttribute("data-in");
  }
  for (const dot of all("[data-dot]", formula)) {
    const text = dot.previousSibling.textContent;
    if (DIGITS_ALONE.test(text) && text !== "1") dot.remove();
    else dot.removeAttribute("data-dot");
  }
}

function numberIn(place, number) {
  const found = writtenMath(number), bracket = text => made(sign(text), { stretchy: "false" }, []);
  return number < 0 && place.dataset.in ? math("mrow", bracket("("), found, bracket(")")) : found;
}
