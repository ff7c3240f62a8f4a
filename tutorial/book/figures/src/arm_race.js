// Chapter 1: two arms take a cup, and may run their program equally often. One nudges each joint, the other one walks back once.

import { arm, cupHandle, missOf, pointsOf, slopesOf, stage, stepped, table } from "./arm.js";
import { clamp, digits, thousands } from "./numbers.js";
import { dot, group, picture, words } from "./svg.js";

const JOINTS = [3, 5, 10, 20, 60, 200, 1000], CURL = 0.9, NEAR = 0.03, NUDGE = 1e-6;
const burst = ({ joints }) => (joints < 200 ? 200 : 5 * joints); // runs
const WALK_BACK = 3; // runs that one run and its walk back cost

// Return the slopes as nudging finds them: a run of the program for each joint, and one without a nudge.
/** @param {number[]} angles @param {number[]} to */
function nudged(angles, to) {
  const miss = missOf(angles, to);
  return angles.map((angle, k) => (missOf(angles.with(k, angle + NUDGE), to) - miss) / NUDGE);
}

const WAYS = {
  slow: { does: "nudges one joint after the other", look: "current", cost: joints => joints + 1, slopes: nudged },
  fast: { does: "runs once, and walks back once", look: "total", cost: () => WALK_BACK, slopes: slopesOf },
};

const begin = joints => ({ angles: Array(joints).fill(CURL / joints), steps: 0 });
const again = ({ joints, cup }) => ({ joints, cup, runs: 0, slow: begin(joints), fast: begin(joints) });
const off = (way, cup) => Math.sqrt(missOf(way.angles, cup));
const holds = (way, cup) => off(way, cup) < NEAR;

// Return the state after more runs, with the steps that they pay for.
function spend(state, more) {
  const runs = state.runs + more, after = { runs };
  for (const [name, { cost, slopes }] of Object.entries(WAYS)) {
    let { angles, steps } = state[name];
    for (; !holds({ angles }, state.cup) && (steps + 1) * cost(state.joints) <= runs; steps++)
      angles = stepped(angles, slopes(angles, state.cup), 0.2 / state.joints);
    after[name] = { angles, steps };
  }
  return after;
}

const spent = (state, name) => (holds(state[name], state.cup) ? state[name].steps * WAYS[name].cost(state.joints) : state.runs);

function facts(state) {
  const numbersOf = name => [spent(state, name), state[name].steps, Number(off(state[name], state.cup).toFixed(2))];
  return { slow: numbersOf("slow"), fast: numbersOf("fast") };
}

// Return the two parts of the picture: side by side, or below each other.
function panels(wide) {
  const narrow = wide < 520, each = narrow ? wide : (wide - 16) / 2, high = narrow ? 170 : Math.min(250, each * 0.7);
  const place = k => table({
    x: narrow ? 0 : k * (each + 16), y: narrow ? k * (high + 62) : 0, wide: each, high, low: high - 16,
    scale: Math.min(each / 6.6, (high - 40) / 3.2),
  });
  return { slow: place(0), fast: place(1), high: (narrow ? 2 : 1) * (high + 62) - 8 };
}

function shown(state, wide) {
  const at = panels(wide), link = state.joints <= 60 ? 7 : 6;
  return picture(wide, at.high, "two arms and the cup that each has to take", Object.entries(WAYS).map(([name, { does, look }]) => {
    const panel = at[name], { x, y, high } = panel, way = state[name], isThere = holds(way, state.cup);
    const result = isThere ? "✓ there" : `${off(way, state.cup).toFixed(2)} away`;
    return group({},
      stage(panel),
      group({}, name === "slow" && !isThere ? tried(state, panel, link) : ""),
      cupHandle(`cup ${name}`, state.cup, panel),
      arm(way.angles, panel, look, link),
      words(x + 2, y + high + 20, does, { class: `strong ${look}` }),
      words(x + 2, y + high + 42, `${thousands(spent(state, name))} runs · ${way.steps} steps · ${result}`, { class: "number" }),
    );
  }));
}

// Return the joint that nudging tries with this run. The picture turns it further than the program does.
function tried({ runs, slow, joints }, panel, link) {
  const k = runs % (joints + 1) - 1;
  if (k < 0) return "";
  const there = arm(slow.angles.with(k, slow.angles[k] + 0.12), panel, "ghost current", link);
  return [there, dot(panel.to(pointsOf(slow.angles)[k]), 9, { class: "tried" })];
}

function says(state) {
  const { slow, fast, cup, runs, joints } = state;
  const name = text => `<b class="${WAYS[text].look}">`;
  if (!runs)
    return `To know how each of ${thousands(joints)} joints should turn, ${name("slow")}nudging needs ${thousands(joints)} + 1 runs</b>: `
      + "one with each joint turned a little, and one with none. "
      + `${name("fast")}The walk back needs about ${WALK_BACK}</b>, whatever the number of joints.`;
  const many = thousands(runs), steps = `${slow.steps} step${slow.steps === 1 ? "" : "s"}</b>`;
  const [dear, cheap] = ["slow", "fast"].map(way => spent(state, way));
  if (holds(slow, cup) && holds(fast, cup))
    return `${name("slow")}Nudging needed ${thousands(dear)} runs</b>, ${name("fast")}the walk back ${thousands(cheap)}</b>: `
      + `${digits(dear / cheap, 2)} times as many.`;
  if (holds(fast, cup))
    return `${name("fast")}This arm holds the cup after ${cheap} runs</b>. `
      + `With ${many} runs ${name("slow")}the other one has made ${steps}, `
      + "each in the same direction.";
  return `After ${many} runs, ${name("slow")}nudging has paid for ${steps}, and ${name("fast")}the walk back for ${fast.steps}</b>.`;
}

const start = again({ joints: 60, cup: [-1.2, 1.9] });
const three = again({ joints: 3, cup: [1.5, 1] });
const isOver = state => holds(state.slow, state.cup) && holds(state.fast, state.cup);

// Return the state with the cup at a place that the hand can reach.
/** @param {any} state @param {number[]} place */
function moved(state, [x, y]) {
  const shorter = Math.min(1, 2.9 / Math.hypot(x, y)), hundredth = number => Math.round(100 * number) / 100;
  return again({ ...state, cup: [hundredth(x * shorter), clamp(hundredth(y * shorter), 0.1, 2.9)] });
}

export const arm_race = {
  does: "Press start",
  hint: "Both arms may run their program equally often. You can drag the cup, too.",
  wide: true,
  start,
  still: { ...start, ...spend(start, 270) },
  others: [{ ...start, ...spend(start, 270) }, { ...start, ...spend(start, 4087) }, { ...three, ...spend(three, 60) }],
  facts, says,
  picture: shown,
  drag: (state, place, wide, name) => moved(state, panels(wide)[name.split(" ")[1]].from(place)),
  press: (state, [x, y]) => moved(state, [state.cup[0] + 0.1 * x, state.cup[1] + 0.1 * y]),
  controls: [
    { play: "start", tick: state => spend(state, state.joints < 60 ? 1 : WALK_BACK), idle: isOver, calm: 60 },
    { press: state => `${thousands(burst(state))} runs`, change: state => spend(state, burst(state)), idle: isOver },
    { press: "again", change: again, idle: state => !state.runs },
    {
      slide: "joints", max: JOINTS.length - 1, value: state => JOINTS.indexOf(state.joints), written: k => thousands(JOINTS[k]),
      change: (state, k) => again({ ...state, joints: JOINTS[k] }),
    },
  ],
};
