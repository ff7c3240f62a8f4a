// Chapter 14: the life of each array in a forward and a backward pass of 16 layers, of which some may be computed again.

import { clamp } from "./numbers.js";
import { box, dot, group, handle, line, picture, tag, words } from "./svg.js";

const LAYERS = 16, SEGMENTS = [0, 2, 4, 8, 16]; // 0: nothing is computed again
const LONGEST = 3 * LAYERS + 1; // turns
const CURVE = 104, MOST = 20, ROW = 11, TOP = 36; // pixels of the curve above, its highest number, and pixels of a layer's row

const layers = Array.from({ length: LAYERS }, (_, k) => k + 1);

// Return the turns of both passes: which layer has its turn, and what it does.
function turnsOf(segments) {
  const turns = layers.map(layer => ({ does: "forward", layer })), size = segments ? LAYERS / segments : LAYERS;
  turns.push({ does: "loss", layer: LAYERS });
  for (let end = LAYERS; end > 0; end -= size) {
    const inside = layers.slice(end - size, end);
    if (segments) turns.push(...inside.map(layer => ({ does: "again", layer })));
    turns.push(...inside.reverse().map(layer => ({ does: "backward", layer })));
  }
  return turns;
}

// Return the arrays: of which layer's result each is, whether it is a gradient, and at which turns it is made and last used.
/** @returns {{ layer: number, isGradient?: boolean, from: number, to: number }[]} */
function arraysOf(segments) {
  const turns = turnsOf(segments), size = segments ? LAYERS / segments : LAYERS;
  const when = (does, layer) => turns.findIndex(turn => turn.does === does && turn.layer === layer), loss = when("loss", LAYERS);
  const gradients = layers.map(layer => ({
    layer, isGradient: true, from: layer === LAYERS ? loss : when("backward", layer + 1), to: when("backward", layer),
  }));
  if (!segments) return [...layers.map(layer => ({ layer, from: when("forward", layer), to: when("backward", layer) })), ...gradients];
  const passing = layers.map(layer => {
    const isKept = layer % size === 0 && layer < LAYERS;
    return { layer, from: when("forward", layer), to: isKept ? when("backward", layer + 1) : Math.min(when("forward", layer) + 1, loss) };
  });
  return [...passing, ...layers.map(layer => ({ layer, from: when("again", layer), to: when("backward", layer) })), ...gradients];
}

const lives = (array, turn) => array.from <= turn && turn <= array.to;

// Return how many arrays there are at each turn.
function countsOf(segments) {
  const arrays = arraysOf(segments);
  return turnsOf(segments).map((_, turn) => arrays.filter(array => lives(array, turn)).length);
}

const facts = ({ segments }) => ({
  peak: Math.max(...countsOf(segments)),
  runs: turnsOf(segments).filter(({ does }) => does === "forward" || does === "again").length,
});

function shown(state, wide) {
  const { segments, turn } = state, turns = turnsOf(segments), counts = countsOf(segments), { peak } = facts(state);
  const gap = (wide - 4) / LONGEST, X = at => 2 + at * gap, up = count => TOP + CURVE - (count / MOST) * CURVE;
  const bottom = TOP + CURVE + 12, rowOf = layer => bottom + (LAYERS - layer) * ROW, end = bottom + LAYERS * ROW, at = counts.indexOf(peak);
  const steps = counts.flatMap((count, k) => [[X(k), up(count)], [X(k + 1), up(count)]]);
  const middle = X(turn + 0.5), loss = LAYERS + 0.5;
  const rises = counts[turn + 1] > counts[turn], isLeft = middle > 40 && (rises || middle > wide - 40); // of the curve, where it is free
  return picture(wide, end + 48, "the number of arrays over time, and below it the life of each array, one row a layer",
    box(0, TOP - 8, wide, CURVE + 8, { rx: 6, class: "paper" }),
    tag("path", { d: `M${[[X(0), up(0)], ...steps, [X(turns.length), up(0)]].map(p => p.join(" ")).join("L")}Z`, class: "area" }),
    line([[0, up(peak)], [wide, up(peak)]], { class: "faint" }),
    words(wide - 6, up(peak) - 6, `peak: ${peak}`, { class: "number strong", "text-anchor": "end" }),
    words(2, 16, "arrays in memory", { class: "quiet" }),
    group({}, arraysOf(segments).map(array => {
      const look = `life${array.isGradient ? " gradient" : ""}${lives(array, turn) ? " alive" : ""}`, thin = array.isGradient ? 4 : 0;
      return box(X(array.from), rowOf(array.layer) + 1 + thin, (array.to - array.from + 1) * gap, ROW - 2 - thin, { rx: 2, class: look });
    })),
    line([[X(loss), bottom - 4], [X(loss), end + 4]], { class: "legs" }),
    words(X(loss / 2), end + 44, "forward pass", { class: "quiet", "text-anchor": "middle" }),
    words(X((loss + turns.length) / 2), end + 44, "backward pass", { class: "quiet", "text-anchor": "middle" }),
    line([[middle, TOP - 8], [middle, end + 16]], { class: "cursor" }),
    dot([middle, up(counts[turn])], 5, { class: "end" }),
    turn === at ? "" : words(middle + (isLeft ? -9 : 9), up(counts[turn]) - 8, counts[turn], {
      class: "number current strong clear", "text-anchor": isLeft ? "end" : "start",
    }),
    handle("turn", "time", turn, `${spoken(turns[turn])}, ${counts[turn]} arrays`, [middle, end + 16]),
  );
}

const SPOKEN = { forward: "runs", again: "runs again", backward: "passes back" };
const spoken = ({ does, layer }) => (does === "loss" ? "the loss" : `layer ${layer} ${SPOKEN[does]}`);

function says(state) {
  const { segments, turn } = state, count = countsOf(segments)[turn], { peak, runs } = facts(state);
  const { does, layer } = turnsOf(segments)[turn];
  const who = does === "loss" ? "The <b>loss</b> is computed" : `<b>Layer ${layer}</b> ${SPOKEN[does]}`;
  const price = segments
    ? `${segments} segments: at most <b class="child">${peak}</b> arrays, and <b class="wrong">${runs}</b> runs of a layer for ${LAYERS}.`
    : `Each result waits for its layer's turn in the backward pass: at most <b class="wrong">${peak}</b> arrays.`;
  return `${who}: <b class="current">${count}</b> arrays. ${price}`;
}

const moved = (state, turn) => ({ turn: clamp(Math.floor(turn), 0, turnsOf(state.segments).length - 1) });
const start = { segments: 0, turn: 9 };

export const saved_arrays = {
  does: "Drag through time",
  hint: "Each bar is the life of an array. Then cut the layers into segments that run again.",
  start,
  still: { segments: 4, turn: 21 },
  others: [{ segments: 2, turn: 20 }, { segments: 4, turn: 21 }, { segments: 16, turn: 18 }],
  facts, says,
  picture: shown,
  drag: (state, [x], wide) => moved(state, ((x - 2) / (wide - 4)) * LONGEST),
  press: (state, [x, y]) => moved(state, state.turn + (x || y)),
  walk: (state, [x, y]) => moved(state, state.turn + (x || y)),
  controls: [
    { press: "back", label: "one turn back", change: state => moved(state, state.turn - 1), idle: ({ turn }) => turn === 0 },
    {
      press: "next", label: "one turn on", change: state => moved(state, state.turn + 1),
      idle: ({ segments, turn }) => turn === turnsOf(segments).length - 1,
    },
    {
      slide: "segments", max: SEGMENTS.length - 1,
      value: ({ segments }) => SEGMENTS.indexOf(segments), written: k => String(SEGMENTS[k] || "none"),
      change: (state, k) => ({ segments: SEGMENTS[k], ...moved({ segments: SEGMENTS[k] }, state.turn) }),
    },
  ],
};
