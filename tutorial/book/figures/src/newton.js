// Chapter 24: how far an arm with two joints misses the cup, as a landscape over its two angles; a point that can be dragged, the quadratic
// function that agrees with the landscape there, and Newton's steps beside those of descent.

import { arm, missOf, mug, slopesOf, stage, stepped, table } from "./arm.js";
import { inner } from "./matrix.js";
import { brief, clamp, digits } from "./numbers.js";
import { box, dot, group, handle, line, picture, tag, windowAt, words } from "./svg.js";

const CUP = [1, 2], LINK = 1.5, RATE = 0.05, STEPS = 12;
const FROM = [-0.6, -2.7], TO = [2.8, 2.7]; // the corners of the landscape: shoulder and elbow
const ELBOWS = Array.from({ length: 91 }, (_, k) => FROM[1] + (k / 90) * (TO[1] - FROM[1]));
const LEVELS = [0.04, 0.25, 0.584, 1.2, 2.2, 3.8, 6, 9, 13, 18]; // of the miss, whose lines are drawn
const NARROW = 560, ALONG = [-0.5, 1.9]; // pixels, and the part of the way to Newton's point that the curve shows

const f = angles => missOf(angles, CUP);
/** @type {(p: number[], v: number[], t?: number) => number[]} */
const plus = (p, v, t = 1) => p.map((x, k) => x + t * v[k]);

// Return the second derivatives of the miss.
/** @param {number[]} angles */
function hessianOf([a, b]) {
  const second = [LINK * Math.cos(a + b), LINK * Math.sin(a + b)], hand = plus(second, [LINK * Math.cos(a), LINK * Math.sin(a)]);
  const mixed = 2 * inner(second, CUP);
  return [[2 * inner(hand, CUP), mixed], [mixed, mixed - 2 * LINK ** 2 * Math.cos(b)]];
}

/** @param {number[][]} H */
const determinant = H => H[0][0] * H[1][1] - H[0][1] * H[1][0];

// Return Newton's step: it goes where a gradient that changes as H says would be 0.
/** @param {number[]} angles @returns {number[]} */
function newtonStep(angles) {
  const H = hessianOf(angles), [g, h] = slopesOf(angles, CUP), all = determinant(H);
  return [-(H[1][1] * g - H[0][1] * h) / all, -(H[0][0] * h - H[1][0] * g) / all];
}

const pathOf = (start, next) => Array.from({ length: STEPS }).reduce(path => [...path, next(path.at(-1))], [start]);
const newtonPath = ({ at }) => pathOf(at, angles => plus(angles, newtonStep(angles)));
const descentPath = ({ at }) => pathOf(at, angles => stepped(angles, slopesOf(angles, CUP), RATE));

const facts = state => ({
  slopes: slopesOf(state.at, CUP), H: hessianOf(state.at),
  newton: newtonPath(state).slice(0, 7).map(f), descent: descentPath(state).map(f),
});

// Return the lines on which the miss has a value, as loops of angles. The hand's distance from the shoulder depends on the elbow alone, and
// at each distance the miss depends on how far the hand's direction is from the cup's.
/** @param {number} level @returns {number[][][]} */
function loopsOf(level) {
  const far = Math.hypot(...CUP), towards = Math.atan2(CUP[1], CUP[0]);
  const ends = [-1, 1].map(side => (far + side * Math.sqrt(level)) / (2 * LINK));
  const elbows = [...ends.flatMap(end => [-2 * Math.acos(end), 2 * Math.acos(end)]), ...ELBOWS].filter(b => Math.abs(b) <= TO[1]);
  const loops = [[[], []]];
  for (const b of elbows.sort((p, q) => p - q)) {
    const reach = 2 * LINK * Math.cos(b / 2), turned = (reach ** 2 + far ** 2 - level) / (2 * reach * far);
    const [right, left] = loops.at(-1), turn = Math.acos(clamp(turned, -1, 1));
    if (turned < 1 + 1e-9) {
      right.push([towards - b / 2 + turn, b]);
      left.unshift([towards - b / 2 - turn, b]);
    } else if (right.length) loops.push([[], []]);
  }
  return loops.map(sides => sides.flat()).filter(loop => loop.length);
}

// Return the line through a point on which its quadratic function keeps its value: an ellipse about Newton's point, or a hyperbola.
function lineOfModel(at) {
  const H = hessianOf(at), step = newtonStep(at), middle = (H[0][0] + H[1][1]) / 2, half = Math.hypot((H[0][0] - H[1][1]) / 2, H[0][1]);
  const angle = Math.atan2(2 * H[0][1], H[0][0] - H[1][1]) / 2, [c, s] = [Math.cos(angle), Math.sin(angle)], axes = [[c, s], [-s, c]];
  const bends = [middle + half, middle - half], value = -inner(slopesOf(at, CUP), step), centre = plus(at, step);
  const radii = bends.map(bend => Math.sqrt(Math.abs(value / bend))), steps = Array.from({ length: 61 }, (_, k) => k / 60);
  const place = (p, q) => plus(plus(centre, axes[0], p * radii[0]), axes[1], q * radii[1]);
  if (determinant(H) > 0) return [steps.map(t => place(Math.cos(2 * Math.PI * t), Math.sin(2 * Math.PI * t)))];
  const isFirst = value / bends[0] > 0;
  return [1, -1].map(side => steps.map(t => {
    const [p, q] = [side * Math.cosh(4 * t - 2), Math.sinh(4 * t - 2)];
    return isFirst ? place(p, q) : place(q, p);
  }));
}

// Return the three parts of the picture: the landscape, the curve, the arm.
function partsOf(wide) {
  const narrow = wide < NARROW, gap = 12, each = narrow ? wide : Math.floor(wide * 0.56), beside = narrow ? wide : wide - each - gap;
  const high = narrow ? 290 : 380, x = narrow ? 0 : each + gap, half = narrow ? 160 : (high - gap) / 2;
  return {
    map: { x: 0, y: 0, wide: each, high },
    slice: { x, y: narrow ? high + gap : 0, wide: beside, high: half },
    table: table({ x, y: narrow ? high + 2 * gap + half : half + gap, wide: beside, high: half, low: half - 22, scale: (half - 56) / 3 }),
    high: narrow ? high + 2 * gap + 2 * half : high,
  };
}

/** @type {(map: { wide: number, high: number }, place: number[]) => number[]} */
const onMap = (map, [a, b]) => [
  clamp(((a - FROM[0]) / (TO[0] - FROM[0])) * map.wide, -4000, 4000), clamp(((TO[1] - b) / (TO[1] - FROM[1])) * map.high, -4000, 4000),
];

function shown(state, wide) {
  const { map, slice, table: panel, high } = partsOf(wide), { at, steps } = state;
  const fast = newtonPath(state).slice(0, steps + 1), slow = descentPath(state).slice(0, steps + 1), to = angles => onMap(map, angles);
  return picture(wide, high, "the miss over its two angles, a cut through it, and the arm",
    windowAt(map,
      box(0, 0, map.wide, map.high, { rx: 8, class: "slope" }),
      group({}, [...LEVELS].reverse().map(level =>
        tag("path", { d: loopsOf(level).map(loop => closed(loop.map(to))).join(""), class: "level" }))),
      group({}, lineOfModel(at).map(points => line(points.map(to), { class: "tangent" }))),
      line(slow.map(to), { class: "path" }), group({}, slow.slice(1).map(angles => dot(to(angles), 3.2, { class: "end" }))),
      line(fast.map(to), { class: "newton" }), group({}, fast.slice(1).map(angles => dot(to(angles), 5, { class: "promised" }))),
      words(10, map.high - 10, "shoulder →", { class: "quiet clear" }), words(10, 20, "elbow ↑", { class: "quiet clear" }),
    ),
    handle("at", "start", at[0], `shoulder ${digits(at[0], 2)}, elbow ${digits(at[1], 2)}`, to(at)),
    cut(at, slice),
    stage(panel), mug(panel.to(CUP)),
    arm(at, panel, "ghost current", 5), arm(slow.at(-1), panel, "current", 5), arm(fast.at(-1), panel, "total", 5),
  );
}

const closed = points => `M${points.map(point => point.map(x => x.toFixed(1)).join(" ")).join("L")}Z`;

// Return the curve of the miss along Newton's first step, with the parabola that agrees with it at the start.
function cut(at, { x, y, wide, high }) {
  const step = newtonStep(at), slope = inner(slopesOf(at, CUP), step), long = ALONG[1] - ALONG[0], there = f(plus(at, step));
  const times = Array.from({ length: 61 }, (_, k) => ALONG[0] + (k / 60) * long), all = times.map(t => f(plus(at, step, t)));
  const model = t => f(at) + slope * (t - t * t / 2);
  const most = Math.max(...all, f(at), model(1), 0.1) * 1.12, least = Math.min(0, model(1)) * 1.2;
  const X = t => 12 + ((t - ALONG[0]) / long) * (wide - 24), Y = z => high - 24 - ((z - least) / (most - least)) * (high - 36);
  return windowAt({ x, y, wide, high },
    box(0, 0, wide, high, { rx: 8, class: "paper" }),
    line([[0, Y(0)], [wide, Y(0)]], { class: "grid" }),
    line(times.map((t, k) => [X(t), Y(all[k])]), { class: "curve" }),
    line(times.map(t => [X(t), Y(model(t))]), { class: "tangent" }),
    line([[X(1), Y(model(1))], [X(1), Y(there)]], { class: "gap" }),
    dot([X(1), Y(model(1))], 5, { class: "promised" }), dot([X(1), Y(there)], 5, { class: "end" }),
    dot([X(0), Y(f(at))], 6, { class: "point" }),
    words(wide - 10, high - 8, "along Newton's step →", { class: "quiet", "text-anchor": "end" }),
  );
}

function says(state) {
  const { steps } = state, fast = newtonPath(state)[steps], slow = descentPath(state)[steps], H = hessianOf(state.at);
  const shape = determinant(H) < 0 ? "a saddle" : H[0][0] > 0 ? "a bowl" : "a hill";
  const ends = Math.hypot(...slopesOf(fast, CUP)) < 1e-6, isThere = f(fast) < 1e-6;
  const saddle = ' <b class="wrong">Newton has stopped: all slopes are 0, but this is a saddle.</b>';
  const stopped = !ends ? "" : isThere ? " Newton holds the cup." : saddle;
  const away = angles => (f(angles) < 1e-18 ? "0" : brief(Math.sqrt(f(angles))));
  return `Here the miss bends like <b class="current">${shape}</b>. After ${steps} step${steps === 1 ? "" : "s"} Newton misses by `
    + `<b class="total">${away(fast)}</b>, descent by <b class="current">${away(slow)}</b>.${stopped}`;
}

const moved = place => ({ at: place.map((x, k) => clamp(Math.round(x * 100) / 100, FROM[k], TO[k])) });
const start = { at: [0.6, 1.6], steps: 1 };

export const newton = {
  does: "Drag the start, and count the steps",
  hint: "Newton’s path is purple, that of descent orange.",
  wide: true,
  start,
  still: { at: [0.5, 1.1], steps: 3 },
  others: [{ at: [0.3, 0.3], steps: 6 }, { at: [1.6, -1.1], steps: 4 }, { at: [2, -1.4], steps: 2 }],
  facts, says,
  picture: shown,
  drag(_, [x, y], wide) {
    const { map } = partsOf(wide);
    return moved([FROM[0] + (x / map.wide) * (TO[0] - FROM[0]), TO[1] - (y / map.high) * (TO[1] - FROM[1])]);
  },
  press: ({ at }, [x, y]) => moved([at[0] + 0.05 * x, at[1] + 0.05 * y]),
  controls: [
    { slide: "steps", of: "steps", max: STEPS },
    { press: "a bowl", label: "start in a bowl", change: () => ({ at: [0.5, 1.1], steps: 3 }) },
  ],
};
