// Chapter 4: one graph, and whose turn it is to pass on its derivative. What comes after a turn stays where it is.

import { clamp, digits } from "./numbers.js";
import { bowed, box, dot, group, part, picture, words } from "./svg.js";

const EDGES = [
  { x: "h", y: "z", partial: 1 }, { x: "m", y: "z", partial: 1 }, { x: "h", y: "m", partial: 4 }, { x: "h", y: "m", partial: 4 },
  { x: "a", y: "h", partial: 2 }, { x: "a", y: "h", partial: 2 },
]; // z = h + m, m = h * h and h = a * a at a = 2
const VALUES = { a: 2, h: 4, m: 16, z: 20 }, RIGHT = 36;
const TURNS = { breadth: ["z", "h", "m", "a"], depth: ["z", "h", "a", "m"], right: ["z", "m", "h", "a"] };
const WALKS = {
  yours: "yours", breadth: "breadth first", depth: "depth first", recursion: "recursion", right: "children first",
};
const NARROW = 520; // pixels; below, the graph runs from top to bottom

const isOf = y => edge => edge.y === y;

// Return the frames of a walk: who has its turn, what it sends over which edges, what everyone has and has passed on since the start.
function framesOf({ walk, order }) {
  const has = { z: 1, h: 0, m: 0, a: 0 }, passed = {}, frames = [{ y: "", sent: [], has: { ...has }, passed: {} }];
  const send = (y, edges) => {
    const from = has[y], isLate = edge => walk !== "recursion" && edge.x in passed;
    const sent = edges.map(edge => ({ edge, from, amount: from * edge.partial, late: isLate(edge) }));
    for (const { edge, amount } of sent) has[edge.x] += amount;
    passed[y] = [...(passed[y] ?? []), from];
    frames.push({ y, sent, has: { ...has }, passed: { ...passed } });
  };
  const visit = y => {
    for (const edge of EDGES.filter(isOf(y))) {
      send(y, [edge]);
      visit(edge.x);
    }
  };
  if (walk === "recursion") visit("z");
  else for (const y of walk === "yours" ? order : TURNS[walk]) send(y, EDGES.filter(isOf(y)));
  return frames;
}

const frameOf = state => framesOf(state)[state.step];
const isAtEnd = state => (state.walk === "yours" ? state.step === 4 : state.step === framesOf(state).length - 1);
const facts = state => frameOf(state).has;
const by = (state, steps) => ({ step: clamp(state.step + steps, 0, framesOf(state).length - 1) });

// Return the state in which the reader has given a variable its turn.
function choose(state, y) {
  const order = state.walk === "yours" ? state.order.slice(0, state.step) : [];
  return order.includes(y) ? {} : { walk: "yours", order: [...order, y], step: order.length + 1 };
}

function shown(state, wide) {
  const frame = frameOf(state), isNarrow = wide < NARROW, high = isNarrow ? 452 : 210;
  const places = isNarrow
    ? { z: [wide / 2, 44], m: [wide / 2 - 66, 156], h: [wide / 2, 276], a: [wide / 2, 396] }
    : { a: [52, 134], h: [52 + (wide - 116) * 0.34, 134], m: [52 + (wide - 116) * 0.68, 56], z: [wide - 64, 134] };
  /** @type {(v: string, sign: number, off: number) => number[]} */
  const end = (v, sign, off) => places[v].map((at, k) => at + (isNarrow ? [off, -34 * sign] : [47 * sign, off])[k]);
  const arrows = EDGES.map((edge, k) => {
    const twin = edge.partial > 1 ? (k % 2 ? 1 : -1) : 0, low = Number(edge.x === "h" && edge.y === "z");
    const sent = frame.sent.find(one => one.edge === edge), look = sent ? `edges ${sent.late ? "late" : "now"}` : "edges";
    const from = end(edge.x, 1, twin * 13 + 16 * low), to = end(edge.y, -1, twin * 13 + 14 * low);
    return bowed(from, to, -twin * 12 - 40 * low, sent ? `+ ${digits(sent.amount)}` : `× ${edge.partial}`, { class: look });
  });
  const turns = [...new Set(framesOf(state).slice(1, state.step + 1).map(({ y }) => y))];
  return picture(wide, high, "the graph z = h + m, m = h · h, h = a · a",
    arrows,
    Object.entries(places).map(([v, place]) => variable(v, place, frame, turns.indexOf(v) + 1, state)),
  );
}

// Return the box of a variable: its name, its value, what it had at its turn, and what came too late.
/** @param {string} v @param {number[]} place */
function variable(v, [x, y], { has, passed, y: current }, turn, state) {
  const late = state.walk !== "recursion" && passed[v] ? has[v] - passed[v][0] : 0, ends = isAtEnd(state) && v === "a";
  const label = `${v}: has ${has[v] - late}${late ? `, and ${late} too late` : ""}`;
  return part(v, label, true, { class: `variable${v === current ? " now" : ""}` },
    box(x - 46, y - 32, 92, 64, { rx: 9, class: "body" }),
    words(x - 37, y - 12, v, { class: "name" }),
    words(x + 37, y - 12, `= ${VALUES[v]}`, { class: "quiet", "text-anchor": "end" }),
    box(x - 38, y - 2, late ? 36 : 76, 26, { rx: 5, class: has[v] ? "total" : "empty" }),
    has[v] ? words(late ? x - 20 : x, y + 16, digits(has[v] - late), { class: "number strong", "text-anchor": "middle" }) : "",
    late ? group({}, box(x + 2, y - 2, 36, 26, { rx: 5, class: "stranded" }),
      words(x + 20, y + 16, `+${digits(late)}`, { class: "number wrong", "text-anchor": "middle" })) : "",
    turn ? group({}, dot([x + 43, y - 30], 11, { class: "turn" }),
      words(x + 43, y - 25, turn, { class: "turn-number", "text-anchor": "middle" })) : "",
    ends && has.a === RIGHT ? words(x, y + 51, "✓ right", { class: "strong child", "text-anchor": "middle" }) : "",
    ends && has.a !== RIGHT ? words(x, y + 51, `✗ ${RIGHT} is right`, { class: "strong wrong", "text-anchor": "middle" }) : "",
  );
}

function says(state) {
  const { y, sent, has, passed } = frameOf(state);
  if (isAtEnd(state)) return verdict(has, passed, state.walk);
  if (!y) return state.walk === "yours" ? "z has its derivative, 1. Click the variable that passes on first." : "z has its derivative, 1.";
  if (!sent.length) return `<b class="current">${y}</b> has no inputs, so it passes on nothing.`;
  const amounts = sent.map(({ edge: { x, partial }, from, amount }) => `${from} × ${partial} = <b class="total">${amount}</b> to ${x}`);
  const late = sent.find(one => one.late), again = state.walk === "recursion" && passed[y].length > 2;
  return [
    `<b class="current">${y}</b> has its turn, and passes on ${amounts.join(" and ")}.`,
    late ? `<b class="wrong">Too late:</b> ${late.edge.x} has had its turn.` : "",
    again ? '<b class="wrong">Again:</b> it has passed on a part of this before.' : "",
  ].join(" ");
}

function verdict({ a, h }, passed, walk) {
  if (a === RIGHT) return `<b class="total">a</b> has <b class="child">${RIGHT}</b>. Each variable had all its contributions at its turn.`;
  const got = `<b class="total">a</b> has <b class="wrong">${a}</b>, and ${RIGHT} is right.`;
  if (walk === "recursion") return `${got} h passed on 1, then 5, then 9: the early parts arrived again and again.`;
  return passed.h[0] < h ? `${got} h passed on ${passed.h[0]} of its ${h}. The other ${h - passed.h[0]} came too late.` : got;
}

export const walks = {
  does: "Give each variable its turn to pass on",
  hint: "Click one, or choose a walk and press next.",
  start: { walk: "yours", order: [], step: 0 },
  still: { walk: "breadth", order: [], step: 3 },
  others: [{ walk: "breadth", order: [], step: 4 }, { walk: "recursion", order: [], step: 10 }, { walk: "right", order: [], step: 4 }],
  facts, says, choose,
  picture: shown,
  walk: (state, [x, y]) => by(state, x || -y),
  controls: [
    { press: "back", change: state => by(state, -1), idle: state => state.step === 0 },
    { press: "next", change: state => by(state, 1), idle: state => state.step === framesOf(state).length - 1 },
    { choose: "walk", of: "walk", options: Object.entries(WALKS), change: (_, walk) => ({ walk, order: [], step: 0 }) },
  ],
};
