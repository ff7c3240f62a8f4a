// Chapter 7: one rate for an arm and for a network that divides two moons. Each has its own edge, beyond which steps are too large.

import { CUP, arm, missOf, mug, slopesOf, stepped, table } from "./arm.js";
import { clamp, digits } from "./numbers.js";
import { box, dot, group, handle, line, picture, windowAt, words } from "./svg.js";

const RATES = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2, 5, 10], MOST = 120; // steps
const START = [0.3, 0.3], TRAIL = 8; // arms of the steps before that are drawn
const HIGH = 204, PLOT = 56, GAP = 16, CELL = 6, NARROW = 560; // pixels
const POINTS = [ // of the chapter's moons, rounded; every other one is on side +1, beginning with the first
  [-0.39, 0.75], [1.97, 0.09], [0.76, 0.14], [1.49, -0.42], [0.1, 1.12], [1.3, -0.47], [0.79, 0.68], [0.14, -0.03], [-0.36, 0.94],
  [1.94, 0.17], [-0.94, 0], [1.85, 0.34], [0.94, 0.54], [2.06, 0.34], [0.45, 0.95], [-0.02, 0.43], [0.96, -0.07], [0.49, -0.43],
  [0.39, 0.86], [0.04, 0.32], [-0.7, 0.69], [1.7, -0.02], [1.06, 0.05], [2.05, 0.52], [-0.89, 0.19], [0.39, -0.42], [0.94, 0.15],
  [2.14, 0.13], [0.89, 0.4], [1.85, 0.44], [-0.17, 1.07], [0.2, 0], [-0.5, 0.83], [0.13, 0.34], [0.3, 1.09], [1.75, 0.01], [1.01, 0.16],
  [1.01, -0.54], [-0.53, 0.7], [1.87, -0.05],
];
const HIDDEN = [ // of its network, rounded: two weights and a bias for each neuron
  [-0.73, 0.69, 0], [0.53, -0.49, 0], [-0.01, -0.1, 0], [0.3, 0.58, 0], [-0.81, -0.94, 0], [0.67, -0.13, 0], [0.52, -1, 0],
  [-0.11, 0.44, 0],
];
const LAST = [[-0.54, 0.89, 0.8, -0.94, -0.95, 0.08, 0.88, -0.24], 0];

const sideOf = k => (k % 2 ? -1 : 1);
const lossAt = (score, k) => Math.max(0, 1 - sideOf(k) * score);

// Return the score of the network at a point, and what its neurons give.
/** @param {any} network @param {number[]} point */
function scoreOf({ hidden, last: [weights, bias] }, [x, y]) {
  const given = hidden.map(([a, b, c]) => Math.max(0, a * x + b * y + c));
  return { given, score: given.reduce((sum, value, i) => sum + weights[i] * value, bias) };
}

// Return the network after a step of descent, and its loss and right guesses before it.
function train(network, rate) {
  const slopes = { hidden: network.hidden.map(() => [0, 0, 0]), last: [network.last[0].map(() => 0), 0] };
  let loss = 0, right = 0;
  for (const [k, point] of POINTS.entries()) {
    const { given, score } = scoreOf(network, point), share = 1 / POINTS.length;
    loss += lossAt(score, k) * share;
    right += Number(score * sideOf(k) > 0);
    if (!lossAt(score, k)) continue;
    const slope = -sideOf(k) * share;
    slopes.last[1] += slope;
    for (const [i, value] of given.entries()) {
      slopes.last[0][i] += slope * value;
      if (value) for (const [j, input] of [...point, 1].entries()) slopes.hidden[i][j] += slope * network.last[0][i] * input;
    }
  }
  const [weights, bias] = network.last, hidden = network.hidden.map((row, i) => stepped(row, slopes.hidden[i], rate));
  return { loss, right, next: { hidden, last: [stepped(weights, slopes.last[0], rate), bias - rate * slopes.last[1]] } };
}

const rateOf = ({ k }) => RATES[k];

// Return what was before each step, and after the last one: arms with their misses, losses of the network, and the network.
function run(state) {
  const arms = [START], misses = [], losses = [];
  let network = { hidden: HIDDEN, last: LAST }, right = 0;
  for (let step = 0; step <= state.steps; step++) {
    const done = train(network, rateOf(state)), angles = arms.at(-1);
    misses.push(missOf(angles, CUP));
    losses.push(done.loss);
    right = done.right;
    if (step === state.steps) break;
    arms.push(stepped(angles, slopesOf(angles, CUP), rateOf(state)));
    network = done.next;
  }
  return { arms, misses, losses, right, network };
}

function facts(state) {
  const { misses, losses, right } = run(state);
  return { misses: rateOf(state) < 0.2 ? misses : misses.slice(0, 5), losses, right }; // an arm that thrashes multiplies rounding errors
}

function layout(wide) {
  const narrow = wide < NARROW, each = narrow ? wide : (wide - GAP) / 2, whole = HIGH + PLOT + 34;
  return { each, high: (narrow ? 2 * whole + 8 : whole) - 6, left: [0, 0], right: narrow ? [0, whole + 8] : [each + GAP, 0] };
}

function shown(state, wide) {
  const at = layout(wide), { arms, misses, losses, right, network } = run(state);
  return picture(wide, at.high, "an arm and a network, each after the same number of steps",
    armPart(at.left, at.each, arms, misses), moonsPart(at.right, at.each, network, losses, right));
}

/** @param {number[]} corner */
function armPart([x, y], wide, arms, misses) {
  const panel = table({ x: 0, y: 0, wide, high: HIGH, low: HIGH * 0.66, scale: HIGH / 5 }), before = arms.slice(-1 - TRAIL, -1);
  return group({},
    box(x, y, wide, HIGH, { rx: 8, class: "paper" }),
    windowAt({ x, y, wide, high: HIGH },
      line([panel.to([-0.5, 0]), panel.to([0.5, 0])], { class: "floor" }),
      group({}, before.map(angles => arm(angles, panel, "ghost total", 4))),
      mug(panel.to(CUP)), arm(arms.at(-1), panel, "total"),
    ),
    curveOf([x, y + HIGH + 6], wide, misses, `miss ${written(misses.at(-1))}`, "total"),
  );
}

/** @param {number[]} corner */
function moonsPart([x, y], wide, network, losses, right) {
  const scale = HIGH / 2.3, middle = [0.55, 0.3], columns = Math.ceil(wide / CELL), rows = HIGH / CELL;
  /** @param {number[]} place */
  const to = ([a, b]) => [x + wide / 2 + (a - middle[0]) * scale, y + HIGH / 2 - (b - middle[1]) * scale];
  const guess = (i, j) => {
    const place = [(i + 0.5) * CELL - wide / 2, HIGH / 2 - (j + 0.5) * CELL].map((pixels, axis) => middle[axis] + pixels / scale);
    return scoreOf(network, place).score > 0;
  };
  const cells = Array.from({ length: rows }, (_, j) => {
    const ends = [...Array(columns).keys()].filter(i => i === columns - 1 || guess(i, j) !== guess(i + 1, j));
    return ends.map((end, k) => {
      const from = k ? (ends[k - 1] + 1) * CELL : 0, until = Math.min(wide, (end + 1) * CELL);
      return box(x + from, y + j * CELL, until - from, CELL, { class: guess(end, j) ? "side plus" : "side minus" });
    });
  });
  const marks = POINTS.map((point, k) => {
    const [a, b] = to(point), isRight = scoreOf(network, point).score * sideOf(k) > 0, look = `mark ${isRight ? "" : "missed"}`;
    return k % 2 ? dot([a, b], 4.5, { class: `${look} minus` })
      : line([[a, b - 6], [a + 6, b + 4.5], [a - 6, b + 4.5], [a, b - 6]], { class: `${look} plus`, fill: null });
  });
  return group({}, group({ "shape-rendering": "crispEdges" }, cells), group({}, marks),
    curveOf([x, y + HIGH + 6], wide, losses, `loss ${written(losses.at(-1))}, ${right} of ${POINTS.length} right`, "current"));
}

// Return the curve of a loss over the steps, on a logarithmic scale.
/** @param {number[]} corner @param {number[]} values */
function curveOf([x, y], wide, values, said, look) {
  const up = value => y + 4 + (1 - clamp((Math.log10(Math.max(value, 1e-9)) + 4) / 6, 0, 1)) * (PLOT - 8);
  const points = values.map((value, step) => [x + 20 + (step / MOST) * (wide - 40), up(value)]);
  return group({ class: `price ${look}` }, box(x, y, wide, PLOT, { rx: 6, class: "paper" }),
    line(points.length > 1 ? points : [...points, ...points], { class: "way" }),
    handle(`steps ${look}`, "steps", values.length - 1, `${values.length - 1} steps, ${said}`, points.at(-1)),
    words(x + 2, y + PLOT + 18, said, { class: `number strong ${look}` }));
}

const written = value => (value > 1e4 ? "over 10,000" : value < 1e-4 ? "under 0.0001" : digits(value, 2));

function says(state) {
  const { misses, losses, right } = run(state), there = misses.findIndex(miss => miss < 1e-6), last = misses.at(-1);
  if (!state.steps) return "Press start, or drag the steps. Then change the rate.";
  const leaps = misses.filter((miss, k) => k && miss > misses[k - 1]).length > state.steps / 4;
  const ofArm = there >= 0 ? `<b class="total">takes the cup after ${there} steps</b>`
    : leaps ? '<b class="wrong">thrashes</b>: it leaps past the cup, and back' : `still misses, by ${digits(Math.sqrt(last), 2)}`;
  const ofMoons = right === POINTS.length ? 'has <b class="current">all 40 points right</b>'
    : losses.at(-1) > 2 * losses[0] ? `<b class="wrong">has a loss of ${written(losses.at(-1))}</b>` : `has ${right} of 40 points right`;
  return `With a rate of ${rateOf(state)}, the arm ${ofArm}. The network ${ofMoons}.`;
}

const start = { k: 2, steps: 0 };

export const rate = {
  does: "Change the rate",
  hint: "It moves an arm and a network. Drag the points to go through the steps.",
  wide: true,
  start,
  still: { k: 5, steps: 40 },
  others: [{ k: 2, steps: 100 }, { k: 5, steps: 8 }, { k: 8, steps: 40 }],
  facts, says,
  picture: shown,
  drag(_, [x], wide, name) {
    const at = layout(wide), [left] = name === "steps total" ? at.left : at.right;
    return { steps: clamp(Math.round(((x - left - 20) / (at.each - 40)) * MOST), 0, MOST) };
  },
  press: (state, [x, y]) => ({ steps: clamp(state.steps + (x || y), 0, MOST) }),
  controls: [
    { play: "start", tick: ({ steps }) => ({ steps: steps + 1 }), idle: ({ steps }) => steps === MOST, calm: 20 },
    { slide: "rate", of: "k", max: RATES.length - 1, written: (_, state) => String(rateOf(state)) },
    { slide: "steps", of: "steps", max: MOST },
  ],
};
