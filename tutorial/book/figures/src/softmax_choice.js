// Chapter 12: which of three cups? Each has a score, softmax makes shares of the scores, and the arm aims at the mixture of the cups.

import { arm, mug, slopesOf, stage, stepped, table } from "./arm.js";
import { beside, inner, matrix, point } from "./matrix.js";
import { clamp, digits, two } from "./numbers.js";
import { box, dot, group, handle, heat, line, picture, words } from "./svg.js";

const CUPS = [[-1.9, 1], [0.1, 2.4], [1.9, 1.2]], N = CUPS.length, MOST = 3; // the scores are from −3 to 3
const REST = [1.57, -0.6, 0.6], STEPS = 120, RATE = 0.05; // of the arm's descent to the place that it aims at
const TALL = 226, BARS = 84, HIGH = 42, GAP = 14, NARROW = 560; // pixels

/** @param {number[]} x */
function softmax(x) {
  const powers = x.map(score => Math.exp(score - Math.max(...x))), sum = powers.reduce((a, b) => a + b);
  return powers.map(power => power / sum);
}

const HOW = {
  softmax: { shares: softmax, partial: (y, i, j) => y[i] * (Number(i === j) - y[j]) },
  max: { shares: x => x.map((_, k) => Number(k === x.indexOf(Math.max(...x)))), partial: () => 0 },
};

function facts({ how, x }) {
  const { shares, partial } = HOW[how], y = shares(x), J = y.map((_, i) => x.map((__, j) => partial(y, i, j)));
  return { shares: y, J, target: [0, 1].map(axis => inner(y, CUPS.map(cup => cup[axis]))) };
}

// Return the angles of the arm that has gone to a place.
/** @param {number[]} target */
function reaching(target) {
  let angles = REST;
  for (let step = 0; step < STEPS; step++) angles = stepped(angles, slopesOf(angles, target), RATE);
  return angles;
}

function layout(wide) {
  const narrow = wide < NARROW, aside = narrow ? 0 : Math.min(wide * 0.46, wide - 320), above = narrow ? TALL + 12 : 0;
  const cell = Math.min(84, (wide - aside - GAP - 2) / (N + 1)), left = aside + Math.max(0, (wide - aside - GAP - (N + 1) * cell) / 2);
  return {
    cell, left, above, top: above + BARS + 26, y: left + N * cell + GAP, X: j => left + (j + 0.5) * cell,
    table: table({ x: 0, y: 0, wide: narrow ? wide : aside - 10, high: TALL, low: TALL - 20, scale: 66 }),
  };
}

const upOf = (above, score) => above + 12 + ((MOST - score) / (2 * MOST)) * (BARS - 24);

function shown(state, wide) {
  const { x, i, j } = state, { shares, J, target } = facts(state), at = layout(wide);
  const { cell, left, above, top, X, table: panel } = at, zero = upOf(above, 0);
  return picture(wide, top + N * HIGH + 2, "an arm and three cups with their scores and shares, and how each score moves each share",
    group({}, stage(panel),
      group({}, CUPS.map((cup, k) =>
        line([panel.to(cup), panel.to(target)], { class: "ray", "stroke-width": Math.max(0.5, 10 * shares[k]) }))),
      group({}, CUPS.map((cup, k) => group({ opacity: (0.3 + 0.7 * shares[k]).toFixed(2) }, mug(panel.to(cup))))),
      arm(reaching(target), panel, "total", 6), dot(panel.to(target), 5, { class: "end" }),
      group({}, CUPS.map((cup, k) => {
        const [a, b] = panel.to(cup);
        return words(a, b - 30, `${k + 1}: ${Math.round(100 * shares[k])} %`, { class: "number clear", "text-anchor": "middle" });
      }))),
    box(left, above, N * cell, BARS, { rx: 8, class: "paper" }),
    line([[left, zero], [left + N * cell, zero]], { class: "grid" }),
    group({}, x.map((score, k) => [
      line([[X(k), zero], [X(k), upOf(above, score)]], { class: k === j ? "stem now" : "stem" }),
      words(X(k), above + BARS + 17, two(score), { class: k === j ? "number strong" : "number quiet", "text-anchor": "middle" }),
    ])),
    group({}, x.map((score, k) => handle(`x${k}`, `score of cup ${k + 1}`, score, two(score), [X(k), upOf(above, score)]))),
    words(at.y + cell / 2, above + BARS / 2 + 5, "scores", { class: "quiet", "text-anchor": "middle" }),
    words(at.y + cell / 2, above + BARS + 17, "shares", { class: "quiet", "text-anchor": "middle" }),
    matrix({
      x: left, y: top, rows: N, columns: N, wide: cell, high: HIGH,
      cell: (row, col) => ({
        text: two(J[row][col]), look: row === i && col === j ? "here" : row === i ? "factor" : "",
        style: J[row][col] ? heat(J[row][col], 0.25, 50) : "fill: none",
        label: `derivative of share ${row + 1} with respect to score ${col + 1}: ${two(J[row][col])}`, at: `J ${row} ${col}`,
        stops: row === i && col === j,
      }),
    }),
    matrix({
      x: at.y, y: top, rows: N, columns: 1, wide: cell, high: HIGH,
      cell: row => ({ text: two(shares[row]), look: row === i ? "factor" : "other" }),
    }),
  );
}

function says(state) {
  const { how, i, j } = state, { shares, J } = facts(state), best = shares.indexOf(Math.max(...shares)) + 1;
  if (how === "max")
    return `The arm takes cup ${best}, and all derivatives are <b class="wrong">0</b>: for a score that grows a little nothing changes.`;
  const share = `the share of cup ${i + 1}`, verb = J[i][j] < 0 ? "falls" : "grows", change = digits(Math.abs(J[i][j]) / 10, 2);
  return `If the score of cup ${j + 1} grows by 0.1, ${share} ${verb} by about <b class="current">${change}</b>. `
    + "Each column adds up to 0: what one cup gains, the others lose.";
}

const start = { how: "softmax", x: [0, 1, 2], i: 0, j: 2 };

function moveTo(state, name, score) {
  const j = Number(name[1]);
  return { j, x: state.x.with(j, clamp(Math.round(10 * score) / 10, -MOST, MOST)) };
}

export const softmax_choice = {
  does: "Drag the scores",
  hint: "The arm aims at the mixture of the three cups. Point at an entry below.",
  wide: true,
  start,
  still: start,
  others: [{ ...start, x: [1, -1.5, 0.5], i: 1 }, { ...start, how: "max" }],
  facts, says, point, beside,
  picture: shown,
  drag: (state, [, y], wide, name) => moveTo(state, name, MOST - ((y - layout(wide).above - 12) / (BARS - 24)) * 2 * MOST),
  press: (state, [x, y], name) => moveTo(state, name, state.x[Number(name[1])] + 0.1 * (x || y)),
  controls: [
    { choose: "choice", of: "how", options: [["softmax"], ["max", "only the largest"]] },
  ],
};
