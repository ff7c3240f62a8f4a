// Chapter 18: the floats as lines of a ruler. A number falls on the nearest line, and so does each sum.

import { brief, clamp, digits } from "./numbers.js";
import { box, dot, group, handle, line, picture, tag, words } from "./svg.js";

const BITS = { float16: 11, float32: 24, float64: 53 }; // of a significand
const EXACT = { float16: 5, float32: 9, float64: 17 }; // digits that tell a float from its neighbours
const LEAST_ZOOM = { float16: 2, float32: 15, float64: 44 }, ZOOM = 10, SIZES = 10;
const SPARSE = 3; // pixels between two lines of the ruler
const TOP = 24, NUDGED = TOP + 26, ABOVE = TOP + 74, BELOW = TOP + 132; // of the paper, the handle of h, the numbers, and the floats

// Return the largest power of 2 that is not above a positive number.
function binade(number) {
  const power = 2 ** Math.floor(Math.log2(number));
  return power > number ? power / 2 : power;
}

const gapAt = (format, number) => binade(number) * 2 ** (1 - BITS[format]);

// Return the float nearest to a number that is not negative, the even one of two.
function rounded(format, number) {
  if (!number) return 0;
  const gap = gapAt(format, number), parts = number / gap, low = Math.floor(parts), rest = parts - low;
  return gap * (rest > 0.5 || (rest === 0.5 && low % 2) ? low + 1 : low);
}

const centre = ({ size }) => 2 ** size;
const storedOf = state => rounded(state.format, centre(state) + state.offset);

// Return x, and the sums after each time that h was added to it.
function sumsOf(state) {
  const h = rounded(state.format, state.h), sums = [storedOf(state)];
  for (let k = 0; k < state.times; k++) sums.push(rounded(state.format, sums[k] + h));
  return sums;
}

function facts(state) {
  const sums = sumsOf(state), [x] = sums, grown = sums.at(-1) - x;
  return { x, gap: gapAt(state.format, x), sum: sums.at(-1), moved: grown, ratio: grown / (state.times * state.h) };
}

const spanOf = ({ zoom }) => 2 ** -zoom;

// Return the lines of the ruler between two distances from the centre, and the stretches in which they are too close to be drawn.
function rulerOf(state, low, high, scale) {
  const lines = [], dense = [], middle = centre(state);
  for (let power = binade(Math.max(middle + low, middle / 4)); power < middle + high; power *= 2) {
    const gap = gapAt(state.format, power), from = Math.max(low, power - middle), to = Math.min(high, 2 * power - middle);
    if (gap * scale < SPARSE) dense.push([from, to]);
    else for (let place = Math.ceil((middle + from) / gap) * gap - middle; place < to; place += gap) lines.push(place);
  }
  return { lines, dense };
}

function shown(state, wide) {
  const { format, offset, h, times } = state, span = spanOf(state), scale = wide / span, middle = centre(state);
  const X = place => clamp((place - state.left) * scale, -99, wide + 99), sums = sumsOf(state), { gap } = facts(state);
  const { lines, dense } = rulerOf(state, state.left, state.left + span, scale);
  const from = sums[0] - middle, end = offset + times * h, to = sums.at(-1) - middle, isLost = to === from && h > 0;
  const nudged = X(offset + h), seen = clamp(nudged, 12, wide - 12), isLeft = seen < wide - 130; // its handle stays in sight
  const name = `x = ${exactly(format, sums[0])}`, half = 5 * name.length, beyond = nudged > seen ? " →" : nudged < seen ? " ←" : "";
  const label = { class: "number clear", "text-anchor": isLeft ? "start" : "end" };
  return picture(wide, BELOW + 76, `the floats of ${format} near ${middle} as lines of a ruler`,
    box(0, TOP, wide, BELOW + 76 - TOP, { rx: 8, class: "paper" }),
    line([[0, ABOVE], [wide, ABOVE]], { class: "legs" }),
    group({}, dense.map(([low, high]) => box(X(low), BELOW - 14, X(high) - X(low), 28, { class: "dense" }))),
    group({}, lines.map(place => mark(X(place), place === 0))),
    line([[0, BELOW], [wide, BELOW]], { class: "axis" }),
    group({}, Array.from({ length: times }, (_, k) => hop(X(offset + k * h), X(offset + (k + 1) * h), ABOVE, 20, "hop"))),
    group({}, sums.slice(1).map((sum, k) =>
      (sum === sums[k] ? "" : hop(X(sums[k] - middle), X(sum - middle), BELOW + 14, -20, "hop stored")))),
    line([[X(offset), ABOVE], [X(from), BELOW]], { class: "fall" }),
    line([[X(end), ABOVE], [X(to), BELOW]], { class: isLost ? "gap" : "tangent" }),
    dot([X(end), ABOVE], 5, { class: "promised" }),
    dot([X(from), BELOW], 6, { class: "end" }), to === from ? "" : dot([X(to), BELOW], 6, { class: "promised" }),
    isLost ? words(clamp(X(to), 0, wide - 60) + 12, BELOW - 26, "lost", { class: "wrong strong clear" }) : "",
    line([[nudged, NUDGED], [nudged, ABOVE]], { class: "faint" }),
    words(2, 16, "all numbers", { class: "quiet" }),
    words(wide - 8, BELOW + 68, `${format}: lines ${brief(gap)} apart`, { class: "quiet", "text-anchor": "end" }),
    words(clamp(X(from), half, wide - half), BELOW + 46, name, { class: "number current", "text-anchor": "middle" }),
    handle("x", "x", offset, `${sums[0]}`, [X(offset), ABOVE]),
    handle("h", "h, which is added", h, brief(h), [seen, NUDGED]),
    words(seen + (isLeft ? 16 : -16), NUDGED + 5, `h = ${brief(h)}${beyond}`, label),
  );
}

// Return a line of the ruler. The one in the middle of the binades is longer.
function mark(x, isLandmark) {
  const half = isLandmark ? 22 : 14;
  return line([[x, BELOW - half], [x, BELOW + half]], { class: isLandmark ? "tick landmark" : "tick" });
}

const hop = (x, to, y, high, look) =>
  tag("path", { d: `M${x.toFixed(1)} ${y}Q${((x + to) / 2).toFixed(1)} ${y - high} ${to.toFixed(1)} ${y}`, fill: "none", class: look });

const exactly = (format, number) => String(Number(number.toPrecision(EXACT[format])));

function says(state) {
  const { format, h, times } = state, { x, gap, moved: grown, ratio } = facts(state), sum = times > 1 ? `x + ${times} · h` : "x + h";
  if (!h) return "h is 0. Drag its handle to the right.";
  const ends = `Measured slope of f(x) = x: <b class="${Math.abs(ratio - 1) < 0.01 ? "child" : "wrong"}">${digits(ratio, 3)}</b>.`;
  if (!grown)
    return `h is at most half of the gap, ${brief(gap)}. So <b class="wrong">${sum} is x</b>. ${ends}`;
  const stored = `<b class="total">${exactly(format, x + grown)}</b>`;
  const promised = `${times > 1 ? `${times} · h` : "h"} is ${brief(times * h)}`;
  return `In ${format} ${sum} is ${stored}: x has moved by ${brief(grown)}, and ${promised}. ${ends}`;
}

// Return the change of the state that puts x at a distance from the centre, and keeps it in sight.
function moved(state, offset) {
  const inside = clamp(offset, -0.3 * centre(state), 0.8 * centre(state)), span = spanOf(state);
  return { offset: inside, left: clamp(state.left, inside - 0.9 * span, inside - 0.1 * span) };
}

// Return the change of the state that keeps x where it is on the screen.
function zoomed(state, zoom) {
  const span = 2 ** -zoom;
  return { zoom, left: state.offset - (state.offset - state.left) * (span / spanOf(state)) };
}

const isHere = ({ zoom }, format) => zoom >= LEAST_ZOOM[format] && zoom <= LEAST_ZOOM[format] + ZOOM;
const nudge = (state, h) => Number(clamp(h, 0, 0.5 * spanOf(state)).toPrecision(3));

// Return the state in another format, with the zoom and the nudge that it had, as far as lines can be seen there.
function inFormat(state, format) {
  const zoom = isHere(state, format) ? state.zoom : LEAST_ZOOM[format] + 5, span = 2 ** -zoom, ratio = span / spanOf(state);
  const offset = state.offset * ratio;
  return { format, zoom, offset, left: state.left * ratio, h: Number((state.h * ratio).toPrecision(3)) };
}

const start = { format: "float16", size: 0, offset: 0.0004, left: -0.0045, h: 0.0023, times: 1, zoom: 6 };

export const float_grid = {
  does: "Drag x and h, and see on which lines they fall",
  hint: "Then make h small, or x large.",
  start,
  still: { ...start, h: 0.00037, times: 12 },
  others: [
    { ...start, h: 0.00037, times: 12 }, { ...start, size: 3, h: 0.0052, times: 5 },
    { ...start, times: 3, ...inFormat({ ...start, h: 0.0011 }, "float32") },
    { ...start, times: 20, ...inFormat({ ...start, offset: -0.003, h: 0.0007 }, "float64") },
  ],
  facts, says,
  picture: shown,
  drag(state, [x], wide, name) {
    const offset = state.left + (x / wide) * spanOf(state);
    return name === "x" ? moved(state, offset) : { h: nudge(state, offset - state.offset) };
  },
  press(state, [x, y], name) {
    const by = (x || y) * 0.01 * spanOf(state);
    return name === "x" ? moved(state, state.offset + 2 * by) : { h: nudge(state, state.h + by) };
  },
  controls: [
    { choose: "format", of: "format", options: Object.keys(BITS).map(format => [format]), change: inFormat },
    {
      slide: "zoom", max: ZOOM, step: 0.1, value: state => state.zoom - LEAST_ZOOM[state.format],
      written: (_, state) => `× ${brief(2 ** state.zoom)}`, change: (state, more) => zoomed(state, LEAST_ZOOM[state.format] + more),
    },
    { slide: "near", of: "size", max: SIZES, written: size => String(2 ** size) },
    { slide: "add h", of: "times", min: 1, max: 30, written: times => `${times} ×` },
  ],
};
