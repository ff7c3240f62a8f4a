// Run the programs of a file of cases, and print how far their arrays and derivatives are from those of the engine.
// A case is { program, rows, leaves, runs: [{ leaves: {place: numbers}, values, totals }] }; an array that is null is not compared.

import { readFileSync } from "node:fs";
import { ArrayProgram } from "../../../../../viz/page/src/network/array_program.js";
import { functions } from "../../../../../viz/page/src/functions.js";

const apart = (found, expected) => {
  const largest = Math.max(1, ...expected.map(Math.abs).filter(Number.isFinite));
  return Math.max(0, ...expected.map((number, i) => {
    const here = found?.[i] ?? 0;
    return Object.is(number, here) || (number === null && !Number.isFinite(here)) ? 0 : Math.abs(number - here) / largest;
  }));
};

const found = {};
for (const [name, { program, rows, runs }] of Object.entries(JSON.parse(readFileSync(process.argv[2], "utf-8")))) {
  const live = new ArrayProgram(program, (0, eval)(rows)(functions));
  found[name] = runs.map(({ leaves, values, totals }) => {
    const given = new Map(Object.entries(leaves).map(([place, numbers]) => [+place, Float64Array.from(numbers)]));
    const [first] = given, arrays = given.size === 1 ? live.after(live.run(), ...first) : live.run(given);
    const gradients = live.gradients(arrays);
    return [
      Math.max(...values.map((expected, v) => (expected ? apart(arrays[v], expected) : 0))),
      Math.max(...totals.map((expected, v) => (expected ? apart(gradients[v], expected) : 0))),
    ];
  });
}
console.log(JSON.stringify(found));
