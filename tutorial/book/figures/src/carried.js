// Chapter 2: what is moved, and the arrows of the program's graph that carry it. All other numbers stand still.

import { CUP, JOINTS, arm, jointHandles, missOf, mug, pointsOf, pressed, stage, table, turned } from "./arm.js";
import { clamp, digits, two } from "./numbers.js";
import { arrow, box, group, handle, line, picture, words } from "./svg.js";

const HIGH = 46, NARROW = 560; // pixels of a variable, and of a picture that has its parts below each other
const LOW = -5, MOST = 5; // of an input of Figure 1
const INPUTS = ["x1", "x2", "x3", "x4"];

// A variable: its column and row, its inputs, and its value.
const GRAPHS = {
  arm: {
    a: { at: [0, 0], inputs: [], value: ({ angles }) => angles[0] },
    b: { at: [0, 2], inputs: [], value: ({ angles }) => angles[1] },
    h: { at: [1, 2], inputs: ["a", "b"], value: ({ angles }) => angles[0] + angles[1] },
    x: { at: [2, 0], inputs: ["a", "h"], value: ({ angles }) => pointsOf(angles)[2][0] },
    y: { at: [2, 2], inputs: ["a", "h"], value: ({ angles }) => pointsOf(angles)[2][1] },
    z: { at: [3, 1], inputs: ["x", "y"], value: ({ angles }) => missOf(angles, CUP) },
  },
  figure1: {
    ...Object.fromEntries(INPUTS.map((name, k) => [name, { at: [0, k], inputs: [], value: ({ inputs }) => inputs[k] }])),
    y1: { at: [1, 2], inputs: INPUTS, value: ({ inputs: [x1, x2, x3, x4] }) => x1 + x2 + x3 + x4 },
    y2: { at: [1, 3], inputs: ["x4"], value: ({ inputs }) => inputs[3] ** 2 },
    z: { at: [2, 1], inputs: ["x1", "y1", "y2"], value: ({ inputs: [x1, x2, x3, x4] }) => x1 * (x1 + x2 + x3 + x4) + x4 ** 2 },
  },
};

const nameOf = v => v.replace(/\d/, digit => "₀₁₂₃₄"[Number(digit)]);
const variables = state => Object.entries(GRAPHS[state.graph]);

// Return the variables that a moved one reaches, itself included, from inputs to outputs.
function reached({ graph, moved }) {
  const lit = new Set([moved]);
  for (const [name, { inputs }] of Object.entries(GRAPHS[graph])) if (inputs.some(input => lit.has(input))) lit.add(name);
  return [...lit];
}

const arrowsOf = state => variables(state).flatMap(([y, { inputs }]) => inputs.map(x => [x, y]));
const carrying = state => arrowsOf(state).filter(([x]) => reached(state).includes(x));

function facts(state) {
  const values = variables(state).map(([, { value }]) => value(state));
  return { values, reached: reached(state).length - 1, arrows: carrying(state).length };
}

// Return where the graph and what moves it stand: side by side, or, for an arm on a phone, below each other.
function layout({ graph }, wide) {
  const isArm = graph === "arm", narrow = wide < NARROW, chip = narrow ? 54 : 66;
  const aside = !isArm ? Math.min(190, wide * 0.3) : narrow ? 0 : wide * 0.36, above = isArm && narrow ? 196 : 0;
  const rows = isArm ? [44, 110, narrow ? 200 : 160] : [30, 92, 154, 216], columns = isArm ? 3 : 2;
  const first = aside + chip / 2 + 4, apart = (wide - 4 - chip / 2 - first) / columns;
  return {
    chip, high: above + rows.at(-1) + 36,
    place: ([column, row]) => [first + column * apart, above + rows[row]],
    table: table({ x: 0, y: 0, wide: narrow ? wide : aside - 12, high: 190, low: 176, scale: 50 }),
    track: row => ({ y: rows[row], from: 14, to: aside - 18 }),
  };
}

function shown(state, wide) {
  const { graph, moved, angles, inputs } = state, at = layout(state, wide), lit = reached(state), carry = carrying(state).map(String);
  const end = (name, side) => {
    const [x, y] = at.place(GRAPHS[graph][name].at);
    return [x + side * (at.chip / 2 + 3), y];
  };
  const [a, b] = ["from", "to"].map(side => at.track(0)[side]);
  return picture(wide, at.high, graph === "arm" ? "an arm, and the graph of its program" : "Figure 1, with sliders for its inputs",
    graph === "arm"
      ? group({}, stage(at.table), mug(at.table.to(CUP)), arm(angles, at.table, "total"), jointHandles(angles, at.table))
      : group({}, INPUTS.map((name, k) => {
        const { y } = at.track(k);
        return [line([[a, y], [b, y]], { class: "legs" }), line([[b, y], end(name, -1)], { class: "faint" }),
          handle(name, nameOf(name), inputs[k], digits(inputs[k]), [a + ((inputs[k] - LOW) / (MOST - LOW)) * (b - a), y])];
      })),
    group({}, arrowsOf(state).map(([x, y]) =>
      arrow(end(x, 1), end(y, -1), { class: carry.includes(String([x, y])) ? "edges now" : "edges" }))),
    group({}, variables(state).map(([name, { at: place, value }]) => {
      const [x, y] = at.place(place);
      return group({ class: `variable${name === moved ? " now" : lit.includes(name) ? " lit" : ""}` },
        box(x - at.chip / 2, y - HIGH / 2, at.chip, HIGH, { rx: 8, class: "body" }),
        words(x - at.chip / 2 + 8, y - 5, nameOf(name), { class: "name" }),
        words(x + at.chip / 2 - 6, y + 16, two(value(state)), { class: "number", "text-anchor": "end" }),
      );
    })),
  );
}

const list = names => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);

function says(state) {
  const { graph, moved } = state, lit = reached(state).slice(1), arrows = carrying(state).length;
  const which = `<b class="current">${nameOf(moved)}</b>`;
  const still = variables(state).map(([name]) => name).filter(name => name !== moved && !lit.includes(name)).map(nameOf);
  const what = graph === "arm" ? `The ${JOINTS["ab".indexOf(moved)]} turns: ${which} moves` : `You move ${which}`;
  return `${what}, and ${arrows} arrows carry it to <b class="child">${list(lit.map(nameOf))}</b>. `
    + `${list(still)} stand${still.length === 1 ? "s" : ""} still.`;
}

const start = { graph: "arm", moved: "a", angles: [0.3, 0.3], inputs: [3, 1, -2, 4] };

// Return the state in which an input has another value.
function moveInput(state, name, value) {
  const k = INPUTS.indexOf(name);
  return { moved: name, inputs: state.inputs.with(k, clamp(Math.round(10 * value) / 10, LOW, MOST)) };
}

const moveJoint = (name, angles) => ({ moved: "ab"[JOINTS.indexOf(name)], angles });

export const carried = {
  does: "Drag a joint",
  hint: "Watch which arrows carry it. Then do it on Figure 1.",
  wide: true,
  start,
  still: { ...start, moved: "b" },
  others: [{ ...start, moved: "b", angles: [0.3, 0.8] }, ...["x4", "x2"].map(moved => ({ ...start, graph: "figure1", moved }))],
  facts, says,
  picture: shown,
  drag(state, place, wide, name) {
    const at = layout(state, wide), k = JOINTS.indexOf(name);
    if (k >= 0) return moveJoint(name, turned(state.angles, k, at.table.from(place)));
    const { from, to } = at.track(0);
    return moveInput(state, name, LOW + ((place[0] - from) / (to - from)) * (MOST - LOW));
  },
  press(state, way, name) {
    const k = JOINTS.indexOf(name);
    if (k >= 0) return moveJoint(name, pressed(state.angles, k, way));
    return moveInput(state, name, state.inputs[INPUTS.indexOf(name)] + 0.1 * (way[0] || way[1]));
  },
  controls: [
    {
      choose: "program", of: "graph", options: [["arm", "the arm"], ["figure1", "Figure 1"]],
      change: (_, graph) => ({ graph, moved: graph === "arm" ? "a" : "x4" }),
    },
  ],
};
