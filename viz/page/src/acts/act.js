import { waysIn } from "../nudging/paths.js";

// What an act is: questionAct(run, player) returns { title, about, steps or length and parts, frame(k) }.
//
// parts    [{ from, to, label, variable, weight }], the segments of the progress bar; `steps`, [{ name }], stand for one part each
// frame(k) what the panels show at step k, counted from 0: see Run.frame. It may have `said` (a sentence), `pick(variable)` for a click
//          in the graph, `keys` { key: action }, which precede the page's own, and `aside`, the panels that a page without room for them
//          leaves out
// next(k), back(k), finer(k, direction)    optional: the steps to which → ←, and ↓ ↑, lead from k

// A frame in which the graph shows all values and marks nothing. A graph that has no room shows the ways from the variable v to z.
/** @param {Run} run */
export function stillFrame(run, act, i, v = run.asked) {
  return {
    act, i, step: {}, tags: new Map(), lit: new Set(), atWork: new Set(), edges: new Set(), known: new Set(), onPath: new Set(),
    flowing: false, totals: new Map(), counts: new Map(), valued: () => true, wayIn: ways => waysIn(ways, v), sceneIn: near => near.of[v],
  };
}

// An act that this graph cannot have: one step that says why.
/** @param {Run} run */
export const actWithout = (run, name, said) => ({
  title: name[0].toUpperCase() + name.slice(1),
  steps: [{ name: "–" }],
  frame: i => ({ ...stillFrame(run, name, i), said }),
});
