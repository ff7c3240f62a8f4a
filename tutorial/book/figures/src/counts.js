// Chapter 15: two engines that do not sort. One counts the contributions that each variable still misses, and keeps those that miss none in
// a queue. The other one reads the tape of the forward pass backwards.

import { digits } from "./numbers.js";
import { bowed, box, dot, group, part, picture, words } from "./svg.js";

const EDGES = [
  { x: "r", y: "z", partial: 1 }, { x: "h", y: "z", partial: 1 }, { x: "p", y: "r", partial: 1 }, { x: "q", y: "r", partial: 1 },
  { x: "h", y: "p", partial: 3 }, { x: "h", y: "q", partial: 4 }, { x: "h", y: "q", partial: 4 },
  { x: "a", y: "h", partial: 2 }, { x: "a", y: "h", partial: 2 },
]; // a = 2, h = a · a, p = 3 h, q = h · h, r = p + q, z = r + h
const DEAD = { x: "h", y: "d", partial: 5 }; // d = 5 h, on which z does not depend
const TAPE = ["h", "p", "q", "d", "r", "z"];
const NARROW = 560; // pixels; below, the graph runs from top to bottom

const hasDead = ({ queue }) => queue === "dead";
const edgesOf = state => (hasDead(state) ? [...EDGES, DEAD] : EDGES);
const tapeOf = state => TAPE.filter(y => y !== "d" || hasDead(state));

// Return the totals once y has passed on its derivative.
function passed(totals, y) {
  const next = { ...totals };
  for (const { x, partial } of EDGES.filter(edge => edge.y === y)) next[x] = (next[x] ?? 0) + totals[y] * partial;
  return next;
}

// Return the state of the engine that counts after the turns of `order`: who had the last turn, who is ready, what each variable has, how
// much it misses, and whom the last turn made ready.
function frameOf(state) {
  let missing = Object.fromEntries(tapeOf(state).map(x => [x, edgesOf(state).filter(edge => edge.x === x).length]));
  let ready = ["z"], totals = { z: 1 }, freed = [];
  for (const y of state.order) {
    const left = { ...missing };
    for (const { x } of EDGES.filter(edge => edge.y === y)) left[x] -= 1;
    freed = TAPE.filter(x => missing[x] && left[x] === 0);
    [ready, missing, totals] = [[...ready.filter(x => x !== y), ...freed], left, passed(totals, y)];
  }
  return { y: state.order.length < state.step ? "" : state.order.at(-1) ?? "", ready, missing, totals, freed };
}

const onTape = state => tapeOf(state).toReversed().slice(0, state.step).reduce(passed, { z: 1 });
const isLast = state => state.step === tapeOf(state).length;

// Return the state after the turn of a variable that is ready. If there is none, only the tape goes on.
const turn = (state, y) => ({ order: y ? [...state.order, y] : state.order, step: state.step + 1, asked: "" });
const next = state => (isLast(state) ? {} : turn(state, frameOf(state).ready.at(state.queue === "newest" ? -1 : 0)));
const back = ({ order, step }) => ({ order: order.slice(0, Math.max(0, step - 1)), step: Math.max(0, step - 1), asked: "" });
const choose = (state, v) => (frameOf(state).ready.includes(v) ? turn(state, v) : { asked: v });

function facts(state) {
  const { totals, missing } = frameOf(state), tape = onTape(state);
  return { counted: TAPE.map(x => totals[x] ?? 0), missing: TAPE.map(x => missing[x] || 0), a: totals.a ?? 0, on_tape: tape.a ?? 0 };
}

function placesOf(wide) {
  if (wide < NARROW) {
    const X = share => 46 + share * (wide - 92);
    return { z: [X(0), 40], r: [X(0.72), 132], p: [X(0.4), 224], q: [X(1), 224], h: [X(0), 366], a: [X(0), 482], d: [X(0.72), 460] };
  }
  const X = k => 50 + (k * (wide - 100)) / 4;
  return { a: [X(0), 118], h: [X(1), 118], p: [X(2), 48], q: [X(2), 146], r: [X(3), 92], z: [X(4), 118], d: [X(1), 236] };
}

// Return the place on the side of a box at which the arrow of the dead branch ends.
/** @type {(place: number[], isNarrow: boolean, sign: number) => number[]} */
const beside = ([x, y], isNarrow, sign) => (isNarrow ? [x + 43 * sign, y] : [x, y + 33 * sign]);

// Return the arrow of an edge. `twin` is its side beside another one between the same variables.
function arrow(edge, twin, places, isNarrow, sent) {
  const isDirect = edge.x === "h" && edge.y === "z", off = 11 * twin + (isDirect && !isNarrow ? 18 : 0);
  /** @type {(v: string, sign: number) => number[]} */
  const end = (v, sign) => places[v].map((place, k) => place + (isNarrow ? [off, -33 * sign] : [43 * sign, off])[k]);
  const look = edge.y === "d" ? "edges stuck" : sent ? "edges now" : "edges", said = sent ? `+ ${digits(sent)}` : `× ${edge.partial}`;
  if (edge.y === "d") return bowed(beside(places.h, isNarrow, 1), beside(places.d, isNarrow, -1), 0, said, { class: look });
  return bowed(end(edge.x, 1), end(edge.y, -1), isDirect && !isNarrow ? -74 : -10 * twin, said, { class: look });
}

function shown(state, wide) {
  const isNarrow = wide < NARROW, places = placesOf(wide), frame = frameOf(state), tape = tapeOf(state);
  const arrows = edgesOf(state).map((edge, k, edges) => {
    const twin = edges.filter(({ x, y }) => x === edge.x && y === edge.y).length > 1 ? (k % 2 ? 1 : -1) : 0;
    return arrow(edge, twin, places, isNarrow, edge.y === frame.y ? frame.totals[edge.y] * edge.partial : 0);
  });
  const low = isNarrow ? 532 : hasDead(state) ? 286 : 222;
  return picture(wide, low + 96, "a graph with the number of contributions that each variable misses, the queue, and the tape",
    group({}, arrows),
    group({}, Object.keys(places).filter(v => v !== "d" || hasDead(state)).map(v => variable(v, places[v], frame, state))),
    lane(low, "ready", frame.ready.map(v => ({ v, look: "factor" }))),
    lane(low + 52, "tape", tape.map((v, k) => {
      const read = tape.length - 1 - k;
      return { v, look: read === state.step - 1 ? "here" : read < state.step ? "padding" : "" };
    })),
    onTape(state).a ? words(80 + tape.length * 42, low + 74, `a has ${onTape(state).a}`, { class: "quiet" }) : "",
  );
}

// Return the box of a variable: its name, its derivative, and a dot for each contribution, empty once it has come.
/** @param {string} v @param {number[]} place */
function variable(v, [x, y], { missing, totals, y: current, ready }, state) {
  const all = edgesOf(state).filter(edge => edge.x === v && v !== "a").length, waits = missing[v] ?? 0;
  const look = v === current ? " now" : ready.includes(v) ? " free" : "", has = totals[v] ? `has ${totals[v]}` : "has nothing";
  return part(v, `${v}: ${has}${ready.includes(v) ? ", is ready" : waits ? `, misses ${waits}` : ""}`, true, { class: `variable${look}` },
    box(x - 42, y - 31, 84, 62, { rx: 9, class: "body" }),
    words(x - 33, y - 10, v, { class: "name" }),
    Array.from({ length: all }, (_, k) => dot([x + 32 - 11 * k, y - 16], 4, { class: k < waits ? "pip" : "pip come" })),
    box(x - 34, y - 1, 68, 25, { rx: 5, class: totals[v] ? "total" : "empty" }),
    totals[v] ? words(x, y + 17, digits(totals[v]), { class: "number strong", "text-anchor": "middle" }) : "",
  );
}

// Return a row of variables with its name.
const lane = (y, name, chips) => group({},
  words(2, y + 22, name, { class: "quiet" }),
  chips.map(({ v, look }, k) => group({ class: look },
    box(62 + k * 42, y, 36, 34, { rx: 7, class: "cell" }), words(80 + k * 42, y + 22, v, { class: "name", "text-anchor": "middle" }))),
);

function says(state) {
  const { y, ready, missing, totals, freed } = frameOf(state), { order, step, asked } = state, read = tapeOf(state).at(-step);
  if (asked && missing[asked]) return `<b class="current">${asked}</b> misses <b class="wrong">${missing[asked]}</b>. It must wait.`;
  if (asked) return `<b class="current">${asked}</b> ${order.includes(asked) ? "has had its turn" : "has nothing to pass on"}.`;
  if (!step) return 'Each dot is a contribution that is still missing. z misses none, so it is <b class="partial">ready</b>.';
  const tape = `The tape reads ${read}${read === "d" ? ", which has nothing to pass on" : ""}.`;
  if (!ready.length && missing.h)
    return `<b class="wrong">Nobody is ready, and h still waits</b>: its last dot would come from d, which never has a turn. ${tape}`;
  if (!ready.length) return `<b class="current">${y}</b> passes on to a, which has <b class="total">${totals.a}</b>. ${tape}`;
  const misses = freed.length > 1 ? "miss" : "misses";
  const free = freed.length ? `<b class="partial">${freed.join(" and ")}</b> ${misses} none now.` : "h still waits.";
  return `<b class="current">${y}</b> passes on. ${free} ${tape}`;
}

const start = { queue: "oldest", order: [], step: 0, asked: "" };
const after = (queue, order, step = order.length) => ({ queue, order: [...order], step, asked: "" });

export const counts = {
  does: "Press next, and watch the dots",
  hint: "Each dot is a contribution that is still missing. Or click a variable without dots.",
  start,
  still: after("oldest", "zrp"),
  others: [after("oldest", "zrp"), after("newest", "zrq"), after("oldest", "zrpqh"), after("dead", "zrpq", 6)],
  facts, says, choose,
  picture: shown,
  walk: (state, [x, y]) => ((x || -y) > 0 ? next(state) : back(state)),
  controls: [
    { press: "back", change: back, idle: ({ step }) => step === 0 },
    { press: "next", change: next, idle: isLast },
    {
      choose: "queue", of: "queue", change: (_, queue) => ({ ...start, queue }),
      options: [["oldest", "oldest first"], ["newest", "newest first"], ["dead", "a dead branch is counted"]],
    },
  ],
};
