// Chapter 16: six arms, each moved by the slopes of an engine. Five of the engines are broken, and the reader says how.

import { arm, missOf, mug, table } from "./arm.js";
import { add, depthFirst, graphOf, inputsFirst } from "./arm_graph.js";
import { digits } from "./numbers.js";
import { box, group, part, picture, words } from "./svg.js";

const CUP = [1, 2], FOLDED = [1.2, -2, 1], RATE = 0.03, STEPS = 150;
const NARROW = 560, GAP = 10, CAPTION = 44;

// Engines. Each takes the miss z, and returns Map {variable: derivative}.
const partialsOf = y => y.partials;

// Return the right engine, but with other partial derivatives, or another way to take in a contribution.
const tape = ({ partials = partialsOf, take = add }) => z => {
  const total = new Map([[z, 1]]);
  for (const y of inputsFirst(z).reverse()) y.inputs.forEach((x, k) => take(total, x, total.get(y) * partials(y)[k]));
  return total;
};

const right = tape({});
const BUGS = {
  none: {
    name: "nothing is wrong", engine: right, why: "It takes the cup, and stops there.",
    moves: "A right engine brings it to the cup, and stops there.",
  },
  overwrites: {
    name: "= for +=", engine: tape({ take: (total, x, amount) => total.set(x, amount) }),
    why: "A heading is used by cos and by sin, and only one of the two counts. So it stops where that one is 0.",
    moves: "With that bug the arm comes nearer at each step, but stops beside the cup.",
  },
  keeps: {
    name: "never set to 0", engine: right,
    why: "Each step adds to the slopes of all steps before. So it swings through the cup, and never stops.",
    moves: "With that bug the arm swings to and fro, and never stops.",
  },
  early: {
    name: "passes on too early", engine: depthFirst,
    why: "What arrives after its turn is lost. It stops in a place where what is left of the slopes is 0.",
    moves: "With that bug the arm stops farther from the cup than it began.",
  },
  factor: {
    name: "1 for the slope of d²", engine: tape({ partials: y => (y.rule === "square" ? [1] : y.partials) }),
    why: "The pull does not depend on the distance, not even in its sign. So it runs away from a cup above it.",
    moves: "With that bug the arm never comes nearer. It moves farther and farther away.",
  },
  sign: {
    name: "wrong sign in cos", engine: tape({ partials: y => (y.rule === "cos" ? [-y.partials[0]] : y.partials) }),
    why: "Up and down it obeys, left and right it does the opposite. So it stretches away to the right.",
    moves: "With that bug the arm comes nearer at first, then stretches away to the right.",
  },
};
const SHOWN = { A: "keeps", B: "early", C: "none", D: "factor", E: "overwrites", F: "sign" };
const LETTERS = Object.keys(SHOWN);

// Return the slopes that the engine of an arm gives, together with those of before if they are kept.
function slopesOf(letter, { angles, grad }) {
  const { joints, z } = graphOf(angles, CUP), total = BUGS[SHOWN[letter]].engine(z);
  return joints.map((joint, k) => (total.get(joint) ?? 0) + (SHOWN[letter] === "keeps" ? grad[k] : 0));
}

function stepOf(state) {
  const arms = Object.fromEntries(LETTERS.map(letter => {
    const grad = slopesOf(letter, state.arms[letter]);
    return [letter, { angles: state.arms[letter].angles.map((angle, k) => angle - RATE * grad[k]), grad }];
  }));
  return { arms, steps: state.steps + 1 };
}

const away = ({ angles }) => Math.sqrt(missOf(angles, CUP));

function facts({ arms }) {
  return Object.fromEntries(LETTERS.flatMap(letter =>
    [[letter, away(arms[letter])], [`slopes of ${letter}`, slopesOf(letter, arms[letter])]]));
}

function shown(state, wide) {
  const columns = wide < NARROW ? 2 : 3, each = (wide - (columns - 1) * GAP) / columns, high = Math.min(170, each * 0.92);
  const rows = Math.ceil(LETTERS.length / columns);
  return picture(wide, rows * (high + CAPTION) - 4, "six arms, each moved by an engine", LETTERS.map((letter, k) => {
    const x = (k % columns) * (each + GAP), y = Math.floor(k / columns) * (high + CAPTION), panel = { x, y, wide: each, high };
    return exhibit(letter, state, table({ ...panel, low: high / 2 + 10, scale: Math.min(high / 6.4, each / 7.4) }));
  }));
}

// Return the panel of an arm, with the guess below it.
function exhibit(letter, { arms, chosen, guesses }, panel) {
  const { x, y, wide, high, to } = panel, guess = guesses[letter], isRight = guess === SHOWN[letter], isHere = letter === chosen;
  const label = `arm ${letter}, ${away(arms[letter]).toFixed(2)} from the cup`, look = !guess ? "total" : isRight ? "child" : "wrong";
  return part(letter, label, true, { class: `exhibit${isHere ? " here" : ""}` },
    box(x + 1.5, y + 1.5, wide - 3, high - 3, { rx: 8, class: "cell" }),
    mug(to(CUP)), arm(arms[letter].angles, panel, look, 5),
    words(x + 12, y + 24, letter, { class: "strong" }),
    words(x + 2, y + high + 17, `${away(arms[letter]).toFixed(2)} away`, { class: "number below" }),
    guess ? words(x + wide - 4, y + high + 17, isRight ? "✓" : "✗", { class: `strong ${look}`, "text-anchor": "end" }) : "",
    group({}, isRight ? words(x + 2, y + high + 33, BUGS[guess].name, { class: "child below" }) : ""),
  );
}

function says(state) {
  const { chosen, guesses, arms, steps } = state, guess = guesses[chosen], slopes = slopesOf(chosen, arms[chosen]);
  if (guess === SHOWN[chosen]) return `<b class="child">${chosen}: ${BUGS[guess].name}.</b> ${BUGS[guess].why}`;
  if (guess) return `<b class="wrong">“${BUGS[guess].name}” is not right for ${chosen}.</b> ${BUGS[guess].moves}`;
  if (!steps) return "All arms begin in the same place, with the same cup. With one of them nothing is wrong.";
  const rests = slopes.every(slope => Math.abs(slope) < 0.05) && away(arms[chosen]) > 0.1;
  const shorter = slope => digits(Number(slope.toFixed(1)));
  return `Arm ${chosen}, after ${steps} steps: its slopes are <b class="current">${slopes.map(shorter).join(", ")}</b>`
    + `${rests ? ", so it believes that it has arrived" : ""}.`;
}

const start = {
  arms: Object.fromEntries(LETTERS.map(letter => [letter, { angles: FOLDED, grad: [0, 0, 0] }])), steps: 0, chosen: "A", guesses: {},
};
const after = steps => Array.from({ length: steps }).reduce(state => ({ ...state, ...stepOf(state) }), start);
const isOver = ({ steps }) => steps >= STEPS;

export const museum_arms = {
  does: "Press start, then say what is wrong with each arm",
  hint: "Click an arm, then a bug.",
  wide: true,
  start,
  still: { ...after(60), chosen: "B", guesses: { B: "early" } },
  others: [after(1), after(20), after(60)],
  facts, says,
  picture: shown,
  choose: (_, chosen) => ({ chosen }),
  walk: ({ chosen }, [x, y]) => ({ chosen: LETTERS.at((LETTERS.indexOf(chosen) + (x || -y)) % LETTERS.length) }),
  controls: [
    { play: "start", tick: stepOf, idle: isOver, calm: 30 },
    { press: "one step", change: stepOf, idle: isOver },
    { press: "again", change: () => start, idle: ({ steps }) => !steps },
    {
      choose: "bug", options: Object.entries(BUGS).map(([bug, { name }]) => [bug, name]),
      value: ({ chosen, guesses }) => guesses[chosen] ?? "", idle: ({ steps }) => !steps,
      change: ({ chosen, guesses }, bug) => ({ guesses: { ...guesses, [chosen]: bug } }),
    },
  ],
};
