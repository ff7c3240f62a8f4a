// Chapter 1: the program's curve, a nudge of x, and the tangent. Zoom in until the curve is a line.

import { clamp, digits, plus } from "./numbers.js";
import { box, dot, handle, line, picture, windowAt, words } from "./svg.js";

const f = x => x * x + 3 * x, slope = x => 2 * x + 3; // the program of the chapter, and its derivative
const LOW = -5, HIGH = 5, HALF = 4, TALL = 27; // the ends of x; half of the window in x and in z, without a zoom
const POINTS = 120;

const scale = state => 10 ** -state.zoom;

// Return the state with a window that shows the point: it moves only if the point leaves its inner part.
function following(state) {
  const across = 0.5 * HALF * scale(state), up = 0.6 * TALL * scale(state), z = f(state.x);
  return { ...state, left: clamp(state.left, state.x - across, state.x + across), low: clamp(state.low, z - up, z + up) };
}

// Return the state with another x, rounded to a hundredth of the zoom.
function at(state, x) {
  const parts = Math.round(100 * 10 ** state.zoom);
  return following({ ...state, x: clamp(Math.round(x * parts) / parts, LOW, HIGH) });
}

// Return the numbers that the figure shows.
function facts({ x, zoom }) {
  const nudge = Number((2 * 10 ** -zoom).toPrecision(2)), rise = f(x + nudge) - f(x);
  return { x, z: f(x), nudge, rise, ratio: rise / nudge, slope: slope(x) };
}

// Return the change of the state that keeps the point where it is on the screen.
function zoomed(state, zoom) {
  const factor = 10 ** (state.zoom - zoom), z = f(state.x);
  return { zoom, left: state.x + (state.left - state.x) * factor, low: z + (state.low - z) * factor };
}

// Return the functions from x and z to the picture, and its size. (`left` and `low` of the state are the middle of the window.)
function frame(state, wide) {
  const high = Math.round(Math.min(330, wide * 0.62));
  return {
    high,
    X: x => (0.5 + (x - state.left) / (2 * HALF * scale(state))) * wide,
    Z: z => (0.5 - (z - state.low) / (2 * TALL * scale(state))) * high,
  };
}

function shown(state, wide) {
  const { high, X, Z } = frame(state, wide), { x, z, nudge, rise, ratio } = facts(state);
  const from = state.left - HALF * scale(state), step = (2 * HALF * scale(state)) / POINTS;
  const curve = Array.from({ length: POINTS + 1 }, (_, k) => [X(from + k * step), Z(f(from + k * step))]);
  const on = a => [X(a), Z(z + slope(x) * (a - x))];
  const corner = [X(x + nudge), Z(z)], end = [X(x + nudge), Z(z + rise)], there = on(x + nudge);
  const hasRoom = corner[0] + 20 + 9 * plus(rise).length < wide; // at the right of the end; else its label stands above the curve
  return picture(wide, high, `z over x, with its tangent at x = ${digits(x)}`,
    box(0, 0, wide, high, { rx: 8, class: "paper" }),
    windowAt({ x: 0, y: 0, wide, high },
      line(curve, { class: "curve" }),
      line([on(from), on(from + 2 * HALF * scale(state))], { class: "tangent" }),
      line([[X(x), Z(z)], corner, end], { class: "legs" }),
      line([end, there], { class: "gap" }),
      dot(end, 5, { class: "end" }), dot(there, 4, { class: "promised" }),
      words(clamp((X(x) + corner[0]) / 2, 24, wide - 24), Math.min(Z(z) + 20, high - 6), plus(nudge), {
        class: "number clear", "text-anchor": "middle",
      }),
      hasRoom
        ? words(corner[0] + 10, (corner[1] + end[1]) / 2 + 5, plus(rise), { class: "number clear" })
        : words(Math.min(end[0], wide) - 8, Math.max(16, end[1] - 12), plus(rise), { class: "number clear", "text-anchor": "end" }),
    ),
    box(10, 10, 206, 78, { rx: 6, class: "paper" }),
    line([[20, 28], [46, 28]], { class: "curve" }), words(54, 33, "z = x * x + 3 * x"),
    line([[20, 51], [46, 51]], { class: "tangent" }), words(54, 56, `tangent: slope ${digits(slope(x))}`),
    words(20, 80, `${digits(rise)} / ${digits(nudge)} = ${digits(ratio)}`, { class: "number strong current" }),
    handle("x", "x", x, `${digits(x)}, z is ${digits(z)}`, [X(x), Z(z)]),
  );
}

function says(state) {
  const { x, nudge, rise, ratio } = facts(state), same = digits(ratio, 3) === digits(slope(x), 3);
  return `x grows by ${digits(nudge)}, and z ${rise < 0 ? "falls" : "grows"} by <b class="current">${digits(Math.abs(rise))}</b>. `
    + `The ratio is <b class="current">${digits(ratio)}</b>, and the slope of the tangent is <b class="total">${digits(slope(x))}</b>. `
    + (same ? "So near, the curve is a line." : "");
}

const start = { x: 2, zoom: 0, left: 1, low: 14 };

export const tangent = {
  does: "Zoom in until the curve is a line",
  hint: "Drag the point.",
  start,
  still: { ...start, ...zoomed(start, 0.4) },
  others: [{ ...start, zoom: 1 }, following({ ...start, x: -1.5, zoom: 2 })],
  facts, says, picture: shown,
  drag: (state, [x], wide) => at(state, state.left + (x / wide - 0.5) * 2 * HALF * scale(state)),
  press: (state, [way]) => at(state, state.x + way * 0.1 * scale(state)),
  controls: [
    { press: "−", label: "zoom out", change: state => zoomed(state, clamp(state.zoom - 0.25, 0, 3)), idle: state => state.zoom === 0 },
    { slide: "zoom", of: "zoom", max: 3, step: 0.01, written: zoom => `× ${digits(10 ** zoom, 2)}`, change: zoomed },
    { press: "+", label: "zoom in", change: state => zoomed(state, clamp(state.zoom + 0.25, 0, 3)), idle: state => state.zoom === 3 },
  ],
};
