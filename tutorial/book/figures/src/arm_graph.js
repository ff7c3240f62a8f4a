// The miss of an arm as a graph of numbers, through which an engine passes derivatives back, right or wrong.

// Return a variable: its value, its inputs, the partial derivative on the edge to each of them, and the function that made it.
const variable = (value, inputs = [], partials = [], rule = "") => ({ value, inputs, partials, rule });
const sum = (...terms) => variable(terms.reduce((all, { value }) => all + value, 0), terms, terms.map(() => 1), "sum");
const cos = x => variable(Math.cos(x.value), [x], [-Math.sin(x.value)], "cos");
const sin = x => variable(Math.sin(x.value), [x], [Math.cos(x.value)], "sin");
const square = x => variable(x.value ** 2, [x], [2 * x.value], "square");
const less = (x, number) => variable(x.value - number, [x], [1], "less");
const times = (x, number) => variable(x.value * number, [x], [number], "times");

const LENGTH = 3;

// Return the variables of the joints, and the miss. Each heading after the first is the one before, plus an angle.
/** @param {number[]} angles @param {number[]} cup */
export function graphOf(angles, cup) {
  const joints = angles.map(angle => variable(angle)), headings = [joints[0]], link = LENGTH / angles.length;
  for (const joint of joints.slice(1)) headings.push(sum(headings.at(-1), joint));
  const [x, y] = [cos, sin].map(of => sum(...headings.map(heading => times(of(heading), link))));
  return { joints, z: sum(square(less(x, cup[0])), square(less(y, cup[1]))) };
}

// Return the variables of a graph, each after its inputs.
export function inputsFirst(z) {
  const found = new Set(), visit = v => {
    if (found.has(v)) return;
    v.inputs.forEach(visit);
    found.add(v);
  };
  visit(z);
  return [...found];
}

// Engines return Map {variable: derivative of z}. This is how one adds a contribution.
export const add = (total, x, amount) => total.set(x, (total.get(x) ?? 0) + amount);

// Return what an engine finds if each variable passes on as soon as it is reached first, and then its inputs.
export function depthFirst(z) {
  const total = new Map([[z, 1]]), seen = new Set(), visit = y => {
    if (seen.has(y)) return;
    seen.add(y);
    y.inputs.forEach((x, k) => add(total, x, total.get(y) * y.partials[k]));
    y.inputs.forEach(visit);
  };
  visit(z);
  return total;
}
