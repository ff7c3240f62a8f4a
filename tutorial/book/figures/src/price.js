// Chapter 1: what an arm pays until it holds the cup, in runs of the program and in seconds, against the number of its joints.

import { freeCorner } from "./corners.js";
import { clamp, digits, thousands } from "./numbers.js";
import { box, dot, group, handle, line, picture, words } from "./svg.js";

// Joints: steps to the cup, and the seconds of these steps by nudging and by walking back, as `python -m benchmarks.arm` prints them.
// They are CPU seconds of one core of an AMD EPYC. The last page of the book has the same.
const MEASURED = {
  3: [5, 1e-4, 6e-4], 10: [43, 2.7e-3, 4.4e-3], 20: [56, 7e-3, 6e-3], 60: [67, 0.03, 8e-3], 200: [72, 0.15, 9e-3],
  1000: [74, 2, 0.013], 10000: [74, 165, 0.045], 100000: [74, 22320, 0.56],
};
const JOINTS = Object.keys(MEASURED).map(Number);
const WALK_BACK = 3; // runs of a run and its walk back
const LEFT = 62, TALL = 272, TOP = 26, ABOVE = TOP + 14, BELOW = 46;

const UNITS = {
  runs: { low: 0.5, high: 7.2, marks: { 10: "10", 100: "100", 1000: "1,000", 10000: "10,000", 1e5: "100,000", 1e6: "1 million" } },
  seconds: { low: -5.5, high: 5, marks: { 1e-4: "0.1 ms", 0.01: "10 ms", 1: "1 s", 60: "1 min", 3600: "1 hour" } },
};

// Return the prices of nudging and of walking back.
/** @returns {number[]} */
function pricesOf(unit, joints) {
  const [steps, ...seconds] = MEASURED[joints];
  return unit === "runs" ? [steps * (joints + 1), steps * WALK_BACK] : seconds;
}

const jointsOf = ({ k }) => JOINTS[k];
const facts = state => ({ runs: pricesOf("runs", jointsOf(state)), seconds: pricesOf("seconds", jointsOf(state)) });

function frame({ unit }, wide) {
  const { low, high } = UNITS[unit], bottom = TALL - BELOW, right = wide - 24, [first, last] = [2, JOINTS.at(-1)].map(Math.log10);
  return {
    right, bottom,
    X: joints => LEFT + ((Math.log10(joints) - first) / (last - first)) * (right - LEFT),
    Y: price => bottom - ((Math.log10(price) - low) / (high - low)) * (bottom - ABOVE),
    joints: x => 10 ** (first + ((x - LEFT) / (right - LEFT)) * (last - first)),
  };
}

function time(seconds) {
  if (seconds < 0.1) return `${digits(seconds * 1e3, 2)} ms`;
  if (seconds < 100) return `${digits(seconds, 2)} s`;
  return seconds < 3600 ? `${digits(seconds / 60, 2)} minutes` : `${digits(seconds / 3600, 2)} hours`;
}

const written = (unit, price) => (unit === "runs" ? `${thousands(price)} runs` : time(price));

function shown(state, wide) {
  const { unit } = state, joints = jointsOf(state), { right, bottom, X, Y } = frame(state, wide), prices = pricesOf(unit, joints);
  const ways = [0, 1].map(k => JOINTS.map(n => [X(n), Y(pricesOf(unit, n)[k])])), stand = [...ways];
  const curves = ["current", "total"].map((look, k) => {
    const point = [X(joints), Y(prices[k])], said = written(unit, prices[k]);
    const place = freeCorner(point, said, { left: LEFT, right: wide, top: TOP, bottom }, stand);
    stand.push([[place.left, place.y - 6], [place.right, place.y - 6]]);
    return group({ class: `price ${look}` },
      line(ways[k], { class: "way" }), ways[k].map(at => dot(at, 3, { class: "measured" })), dot(point, 7, { class: "chosen" }),
      words(place.x, place.y, said, { class: `number strong clear ${look}`, "text-anchor": place.anchor }),
    );
  });
  return picture(wide, TALL, `the ${unit} that an arm needs until it holds the cup, against its joints`,
    box(LEFT, TOP, wide - LEFT, bottom - TOP, { rx: 8, class: "paper" }),
    group({}, Object.entries(UNITS[unit].marks).map(([price, mark]) => [
      line([[LEFT, Y(price)], [wide, Y(price)]], { class: "grid" }),
      words(LEFT - 6, Y(price) + 5, mark, { class: "quiet", "text-anchor": "end" }),
    ])),
    group({}, [3, 60, 1000, 100000].map(n => words(Math.min(X(n), right), bottom + 34, n === 3 ? "3 joints" : thousands(n), {
      class: "quiet", "text-anchor": n === 100000 ? "end" : "middle",
    }))),
    line([[X(joints), Y(Math.max(...prices))], [X(joints), bottom + 8]], { class: "legs" }),
    curves,
    words(2, 16, "nudging", { class: "strong current" }), words(82, 16, "walking back", { class: "strong total" }),
    unit === "seconds" ? words(wide - 2, 16, "one core, AMD EPYC", { class: "quiet", "text-anchor": "end" }) : "",
    handle("joints", "joints", joints, `${thousands(joints)} joints`, [X(joints), bottom + 8]),
  );
}

function says(state) {
  const { unit } = state, joints = jointsOf(state), [dear, cheap] = pricesOf(unit, joints), times = dear / cheap;
  const before = `With ${thousands(joints)} joints, the way to the cup costs <b class="current">${written(unit, dear)}</b> by nudging, `
    + `and <b class="total">${written(unit, cheap)}</b> by walking back`;
  return times < 1 ? `${before}: <b>nudging is faster</b>.` : `${before}: ${thousands(digits(times, 2))} times.`;
}

export const price = {
  does: "Drag the number of joints",
  hint: "First count runs, then seconds.",
  start: { unit: "runs", k: 3 },
  still: { unit: "seconds", k: 7 },
  others: [{ unit: "seconds", k: 0 }, { unit: "runs", k: 5 }],
  facts, says,
  picture: shown,
  drag(state, [x], wide) {
    const apart = joints => Math.abs(Math.log(joints / frame(state, wide).joints(x)));
    return { k: JOINTS.reduce((best, joints, k) => (apart(joints) < apart(JOINTS[best]) ? k : best), 0) };
  },
  press: (state, [x, y]) => ({ k: clamp(state.k + (x || y), 0, JOINTS.length - 1) }),
  controls: [
    { choose: "unit", of: "unit", options: [["runs"], ["seconds", "seconds, measured"]] },
  ],
};
