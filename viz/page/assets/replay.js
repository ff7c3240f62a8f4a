// The data of a run at other starting values. Python wrote the program that computes its numbers, and their places in the texts.

const DIGITS_ALONE = /^\d+$/;

// Return why a run cannot be shown at these starting values, in a sentence; null if it can.
function whyNotAt(run, x) {
  const { live } = run;
  if (!live) return run.notLive;
  if (!live.numbers) return "This page plays a loop of its own, which it cannot run at other numbers.";
  if (x.length !== live.inputs.length || !x.every(Number.isFinite)) return "Each input needs a number.";
  const values = live.values(x), started = live.values(live.start), held = live.conditions(started);
  const bad = firstNotFinite(run, values, live.partials(values));
  if (bad !== undefined) return `At these numbers the function of ${run.variables[bad].name}, or its derivative, is not finite. The steps need finite numbers.`;
  if (live.conditions(values).some((holds, k) => holds !== held[k])) return "At these numbers a function is on another branch and has another formula. Make a new page there.";
  return null;
}

// Return the first variable whose value, or whose partial in an input, is inf or nan.
function firstNotFinite(run, values, partials) {
  const place = run.variables.findIndex((_, v) => !Number.isFinite(values[v]) || run.edgesInto[v].some(e => !Number.isFinite(partials[e])));
  return place < 0 ? undefined : place;
}

// Return the data of a run in which everything that depends on the starting values is that of `x`.
function dataAt(data, x) {
  const live = programs[data.program], values = live.values(x), numbers = live.numbers(values, live.partials(values));
  const at = (item, field) => (item.n === undefined ? item : { ...item, [field]: inJson(numbers[item.n]), text: written(numbers[item.n]) });
  const questions = structuredClone(data.questions);
  for (const [n, path] of data.answers) {
    put(questions, path, inJson(numbers[n]));
    if (path[1] === "right") questions[path[0]].exact = false; // it may have been true for integers
  }
  return {
    ...data, numbers, questions, start: x, notFinite: null,
    steps: data.steps.map(step => (step.whyHere ? { ...step, why: undefined } : step)), // the reason may be another one there
    quantities: data.quantities.map(quantity => at(quantity, "number")),
    variables: data.variables.map(variable => at(variable, "data")),
  };
}

const inJson = number => (Number.isFinite(number) ? number : written(number).replace("−", "-"));

function put(tree, path, item) {
  const last = path.at(-1), within = path.slice(0, -1).reduce((part, key) => part[key], tree);
  within[last] = item;
}

// Fill in the numbers of a formula: those of `numbers`, or those of the starting point, which stand in it already.
function fill(formula, numbers) {
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
