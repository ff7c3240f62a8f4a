// Chapter 15: the step of a finite difference against its error, and the digits that cancel. Roots, products and quotients are rounded in
// the same way everywhere, so a test finds the same bits in Python.

import { clamp } from "./numbers.js";
import { box, dot, handle, line, picture, runs, words } from "./svg.js";

const X = 2, f = Math.sqrt, SLOPE = 1 / (2 * Math.sqrt(X));
const STEPS = Array.from({ length: 29 }, (_, k) => Number(`${k % 2 ? 3 : 1}e${-1 - Math.ceil(k / 2)}`)); // 0.1, 0.03, 0.01, …
const LEAST = 1e-16; // the lowest error of the plot
const TOP = 26, HIGH = 230 + TOP, LEFT = 50, BELOW = 26, ROW = 24;

const FORMULAS = {
  forward: { above: h => f(X + h), low: () => f(X), length: h => h, names: ["f(2 + h)", "f(2)"] },
  central: { above: h => f(X + h), low: h => f(X - h), length: h => 2 * h, names: ["f(2 + h)", "f(2 − h)"] },
};

function finite(way, h) {
  const { above, low, length } = FORMULAS[way], difference = above(h) - low(h), ratio = difference / length(h);
  return { difference, ratio, error: Math.abs(ratio - SLOPE) };
}

const stepOf = ({ k }) => STEPS[k];
const facts = state => ({ h: stepOf(state), ...finite(state.way, stepOf(state)), slope: SLOPE });
const power = number => number.toExponential(0).replace("-", "−");

// Return a number as runs of text: the digits that it shares with another one, and the rest.
function compared(number, other, same, rest) {
  const text = number.toFixed(16), its = other.toFixed(16), at = [...text].findIndex((digit, k) => digit !== its[k]);
  return at < 0 ? [[text, same]] : [[text.slice(0, at), same], [text.slice(at), rest]];
}

function shown(state, wide) {
  const h = stepOf(state), { difference, ratio, error } = finite(state.way, h);
  const { above, low, length, names } = FORMULAS[state.way];
  const across = step => LEFT + ((Math.log10(step) + 15) / 14) * (wide - LEFT - 20);
  const up = e => TOP + 12 + (-Math.log10(Math.max(e, LEAST)) / 16) * (HIGH - BELOW - TOP - 12);
  const curve = way => line(STEPS.map(at => [across(at), up(finite(way, at).error)]), { class: way === state.way ? "curve" : "faint" });
  const other = state.way === "forward" ? "central" : "forward";
  const rows = [
    [names[0], compared(above(h), low(h), "quiet", "strong current")],
    [names[1], compared(low(h), above(h), "quiet", "strong current")],
    ["difference", compared(difference, 0, "quiet", "strong current")],
    [`/ ${power(length(h))}`, compared(ratio, SLOPE, "strong child", "wrong")],
    ["slope", [[SLOPE.toFixed(16), "strong child"]]],
  ];
  return picture(wide, HIGH + 14 + rows.length * ROW, "the error of a finite difference against its step, and the digits of its numbers",
    box(LEFT, TOP, wide - LEFT, HIGH - BELOW + 6 - TOP, { rx: 8, class: "paper" }),
    [0, 4, 8, 12, 16].map(k => [
      line([[LEFT, up(10 ** -k)], [wide, up(10 ** -k)]], { class: "grid" }),
      words(LEFT - 6, up(10 ** -k) + 5, k ? `1e−${k}` : "1", { class: "quiet", "text-anchor": "end" }),
    ]),
    [1, 4, 8, 12, 15].map(k => words(across(10 ** -k), HIGH - 4, `1e−${k}`, { class: "quiet", "text-anchor": "middle" })),
    words(2, 16, "error at step h", { class: "quiet" }),
    ["forward", "central"].map((way, k) => {
      const end = wide - 2 - 92 * (1 - k);
      return [
        words(end, 16, way, { class: way === state.way ? "current" : "quiet", "text-anchor": "end" }),
        line([[end - 82, 12], [end - 58, 12]], { class: way === state.way ? "curve" : "faint" }),
      ];
    }),
    curve(other), curve(state.way),
    line([[across(h), up(error)], [across(h), HIGH - BELOW + 6]], { class: "legs" }),
    dot([across(h), HIGH - BELOW + 6], 3, { class: "end" }),
    rows.map(([name, digits], k) => [
      words(96, HIGH + 26 + k * ROW, name, { "text-anchor": "end" }),
      runs(110, HIGH + 26 + k * ROW, digits),
    ]),
    line([[20, HIGH + 33 + ROW], [260, HIGH + 33 + ROW]], { class: "legs" }),
    handle("h", "step h", h, `${power(h)}, the error is ${error.toExponential(1)}`, [across(h), up(error)]),
  );
}

function says(state) {
  const { h, error } = facts(state), errorOf = step => finite(state.way, step).error;
  const nearest = STEPS.reduce((best, step) => (errorOf(step) < errorOf(best) ? step : best));
  const why = h > nearest
    ? "The curve bends within the step: a smaller step is better."
    : h < nearest ? "Most digits are the same and cancel: a larger step is better." : "No other step of the plot has a smaller error.";
  return `With a step of <b class="current">${power(h)}</b> the error is <b class="current">${power(error)}</b>. ${why}`;
}

const start = { way: "forward", k: 2 };

export const step_size = {
  does: "Drag the step along the curve",
  hint: "How small should it be?",
  start,
  still: { way: "forward", k: 20 },
  others: [{ way: "forward", k: 20 }, { way: "central", k: 8 }, { way: "forward", k: 28 }],
  facts, says,
  picture: shown,
  drag: (_, [x], wide) => ({ k: clamp(Math.round(2 * (14 - ((x - LEFT) / (wide - LEFT - 20)) * 14)), 0, STEPS.length - 1) }),
  press: (state, [x, y]) => ({ k: clamp(state.k - (x || y), 0, STEPS.length - 1) }),
  controls: [
    { choose: "formula", of: "way", options: [["forward", "(f(x + h) − f(x)) / h"], ["central", "(f(x + h) − f(x − h)) / 2h"]] },
  ],
};
