// Chapter 4: four engines move the same arm. They differ in when, and how often, a variable passes on its derivative.

import { CUP, JOINTS, arm, jointHandles, missOf, mug, pressed, stepped, table, turned } from "./arm.js";
import { add, depthFirst, graphOf, inputsFirst } from "./arm_graph.js";
import { digits } from "./numbers.js";
import { box, group, line, picture, words } from "./svg.js";

const RATE = 0.05, LAST = 120, NEAR = 0.05; // the last step; how near the hand holds the cup
const STARTS = { folded: [1.2, -2, 1], stretched: [0, 0, 0], bent: [-1.5, 1, 2] };
const NARROW = 560, GAP = 10, CAPTION = 66;

const passOn = (y, total) => y.inputs.forEach((x, k) => add(total, x, total.get(y) * y.partials[k]));

function childrenFirst(z) {
  const total = new Map([[z, 1]]);
  for (const y of inputsFirst(z).reverse()) passOn(y, total);
  return total;
}

function levelByLevel(z) {
  const total = new Map([[z, 1]]), queue = new Set([z]);
  for (const y of queue) { // a set goes on to what is added meanwhile
    passOn(y, total);
    for (const x of y.inputs) queue.add(x);
  }
  return total;
}

function withoutMemory(z) {
  const total = new Map([[z, 1]]), visit = y => y.inputs.forEach((x, k) => {
    add(total, x, total.get(y) * y.partials[k]);
    visit(x);
  });
  visit(z);
  return total;
}

const ENGINES = [
  { name: "children first", look: "child", engine: childrenFirst }, { name: "level by level", look: "partial", engine: levelByLevel },
  { name: "depth first", look: "wrong", engine: depthFirst }, { name: "no memory", look: "current", engine: withoutMemory },
];

/** @param {any} by @param {number[]} angles */
function slopesBy({ engine }, angles) {
  const { joints, z } = graphOf(angles, CUP), total = engine(z);
  return joints.map(joint => total.get(joint));
}

/** @param {number[]} start */
const begin = start => ({ start, steps: 0, arms: ENGINES.map(() => start) });
const step = ({ steps, arms }) => ({
  steps: steps + 1, arms: arms.map((angles, k) => stepped(angles, slopesBy(ENGINES[k], angles), RATE)),
});
const isOver = ({ steps }) => steps >= LAST;

function after(start, steps) {
  let state = begin(start);
  while (state.steps < steps) state = { ...state, ...step(state) };
  return state;
}

// Return the parts of the picture, one for each engine.
function panels(wide) {
  const columns = wide < NARROW ? 2 : 4, each = (wide - (columns - 1) * GAP) / columns, high = Math.min(210, each * 0.95);
  return ENGINES.map((_, k) => table({
    x: (k % columns) * (each + GAP), y: Math.floor(k / columns) * (high + CAPTION), wide: each, high, low: high * 0.62,
    scale: Math.min(each, high) / 5.4,
  }));
}

const facts = ({ arms }) => ({
  distances: arms.map(angles => Math.sqrt(missOf(angles, CUP))), slopes: arms.map((angles, k) => slopesBy(ENGINES[k], angles)),
});

function shown({ arms }, wide) {
  const { distances, slopes } = facts({ arms }), places = panels(wide), last = places.at(-1);
  return picture(wide, last.y + last.high + CAPTION - 4, "four arms, each moved by another engine", ENGINES.map(({ name, look }, k) => {
    const panel = places[k], { x, y, wide: each, high } = panel, there = distances[k] < NEAR;
    const numbers = slopes[k].map(slope => digits(Number(slope.toFixed(1)) || 0));
    return group({},
      box(x, y, each, high, { rx: 8, class: "paper" }),
      line([panel.to([-0.5, 0]), panel.to([0.5, 0])], { class: "floor" }),
      mug(panel.to(CUP)), arm(arms[k], panel, look, 6), k ? "" : jointHandles(arms[k], panel),
      words(x + 2, y + high + 18, name, { class: `strong ${look}` }),
      words(x + 2, y + high + 36, there ? "✓ holds the cup" : `${distances[k].toFixed(2)} from the cup`, { class: "number" }),
      words(x + 2, y + high + 53, `${wide < NARROW ? "∂" : "slopes"} ${numbers.join(" ")}`, { class: "number quiet below" }),
    );
  }));
}

function says(state) {
  const { steps } = state, { distances, slopes } = facts(state);
  if (!steps) return "The same three angles, the same cup. Only one of the four rows of slopes is right. This chapter tells which.";
  const stopped = ENGINES.findIndex((_, k) => distances[k] > 0.5 && slopes[k].every(slope => Math.abs(slope) < 0.05));
  if (stopped >= 0)
    return `Step ${steps}. The arm of <b class="wrong">${ENGINES[stopped].name}</b> has stopped, `
      + `${distances[stopped].toFixed(1)} from the cup. `
      + "Its slopes are 0 0 0: it reports that it has arrived.";
  const held = distances.filter(distance => distance < NEAR).length;
  const all = ["None of them holds", "One of them holds", "Two of them hold", "Three of them hold", "All four hold"][held];
  const many = held > 3 ? "Three" : "Two";
  const wrong = held > 2 ? ` <b class="wrong">${many} of these engines are wrong</b>, and here nobody would notice.` : "";
  return `Step ${steps}. ${all} the cup.${wrong}`;
}

export const arm_orders = {
  does: "Press start",
  hint: "Four engines, one arm. They differ in when, and how often, a variable passes on. Drag the first arm to begin elsewhere.",
  wide: true,
  start: begin(STARTS.folded),
  still: after(STARTS.folded, 60),
  others: [after(STARTS.folded, 60), after(STARTS.stretched, 100), after(STARTS.bent, 20)],
  facts, says,
  picture: shown,
  drag: ({ arms: [angles] }, place, wide, name) => begin(turned(angles, JOINTS.indexOf(name), panels(wide)[0].from(place))),
  press: ({ arms: [angles] }, way, name) => begin(pressed(angles, JOINTS.indexOf(name), way)),
  controls: [
    { play: "start", tick: step, idle: isOver, calm: 20 },
    { press: "one step", change: step, idle: isOver },
    { press: "again", change: ({ start }) => begin(start), idle: ({ steps }) => !steps },
    {
      choose: "start", options: [["folded", "folded"], ["stretched", "stretched"], ["bent", "bent back"]],
      value: ({ start }) => Object.keys(STARTS).find(name => String(STARTS[name]) === String(start)) ?? "",
      change: (_, name) => begin(STARTS[name]),
    },
  ],
};
