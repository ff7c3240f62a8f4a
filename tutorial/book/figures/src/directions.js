// Chapter 25: all derivatives of m outputs by n inputs. A pass of forward mode gives a column of them, a backward pass gives a row.

import { inner } from "./matrix.js";
import { clamp, dice } from "./numbers.js";
import { box, dot, group, handle, line, mixed, picture, words } from "./svg.js";

const MOST = 20, HIDDEN = 4, EDGE = 22, GAP = 16; // inputs and outputs, the layer between them, and pixels beside the cells
const numbers = dice(2), throwAll = () => Array.from({ length: MOST }, () => Array.from({ length: HIDDEN }, numbers));
const FIRST = throwAll(), SECOND = throwAll(); // y = SECOND tanh(x FIRST), for the first n inputs and the first m outputs
const X = Array.from({ length: MOST }, numbers);

// Return the Jacobian, a row for each output.
function jacobianOf({ n, m }) {
  const hidden = Array.from({ length: HIDDEN }, (_, k) => Math.tanh(X.slice(0, n).reduce((sum, x, i) => sum + x * FIRST[i][k], 0)));
  return SECOND.slice(0, m).map(row =>
    FIRST.slice(0, n).map(column => inner(row.map((weight, k) => weight * (1 - hidden[k] ** 2)), column)));
}

const isDone = ({ n, m, passes }) => passes >= Math.max(n, m);

function facts(state) {
  const J = jacobianOf(state), passes = Math.floor(state.passes);
  return { forward: J.map(row => row.slice(0, passes)), backward: J.slice(0, passes) };
}

// Return the two grids, with the place of the first cell of each: side by side, or below each other.
function gridsOf({ m }, wide) {
  const narrow = wide < 480, each = narrow ? wide : (wide - GAP) / 2, cell = Math.min(15, (each - EDGE - 20) / MOST);
  const high = 44 + m * cell + 58, grid = (x, y) => ({ x: x + EDGE, y: y + 44, cell });
  return { forward: grid(0, 0), backward: narrow ? grid(0, high) : grid(each + GAP, 0), high: narrow ? 2 * high : high };
}

const WAYS = {
  forward: { look: "child", of: "n", name: "forward mode" },
  backward: { look: "total", of: "m", name: "backward passes" },
};

function shown(state, wide) {
  const grids = gridsOf(state, wide), J = jacobianOf(state);
  const tables = Object.keys(WAYS).map(way => tableOf(way, state, grids[way], J));
  return picture(wide, grids.high, "two tables of derivatives, filled by columns and by rows", tables);
}

// Return the table of a direction, of which some columns or rows are filled, with a dot for each input and each output.
function tableOf(way, state, { x, y, cell }, J) {
  const { look, of, name } = WAYS[way], { m, n } = state, passes = Math.min(Math.floor(state.passes), state[of]), part = state.passes % 1;
  const isColumn = way === "forward", isOver = passes === state[of], most = Math.max(...J.flat().map(Math.abs));
  const across = j => x + (j + 0.5) * cell, down = i => y + (i + 0.5) * cell, isFilled = (i, j) => (isColumn ? j : i) < passes;
  const shade = value => mixed(value < 0 ? "negative" : "positive", 15 + 45 * Math.sqrt(Math.abs(value) / most));
  const source = (place, isNow) => dot(place, 3, { class: isNow ? `source ${look}` : "source" });
  const begin = isColumn ? [across(passes), y - 12] : [x - 12, down(passes)], long = 12 + cell * (isColumn ? m : n);
  const end = isColumn ? [begin[0], begin[1] + part * long] : [begin[0] + part * long, begin[1]];
  return group({},
    words(x - EDGE + 2, y - 30, name, { class: `strong ${look}` }),
    group({}, Array.from({ length: n }, (_, j) => source([across(j), y - 12], isColumn && j === passes))),
    group({}, Array.from({ length: m }, (_, i) => source([x - 12, down(i)], !isColumn && i === passes))),
    group({}, J.map((row, i) => row.map((value, j) => box(x + j * cell + 0.75, y + i * cell + 0.75, cell - 1.5, cell - 1.5, {
      rx: 1.5, class: isFilled(i, j) ? "entry" : "entry open", style: isFilled(i, j) ? shade(value) : null,
    })))),
    part && !isOver ? line([begin, end], { class: `sweep ${look}` }) : "",
    words(x - EDGE + 2, y + m * cell + 42, isOver ? `✓ ${passes} pass${passes === 1 ? "" : "es"}` : `${passes} of ${state[of]}`, {
      class: isOver ? `number strong ${look}` : "number",
    }),
    handle(`size ${way}`, "outputs and inputs", n, `${m} outputs, ${n} inputs`, [x + n * cell + 8, y + m * cell + 8]),
  );
}

function says(state) {
  const { n, m } = state, outputs = `${m} output${m === 1 ? "" : "s"}`, inputs = `${n} input${n === 1 ? "" : "s"}`;
  const faster = n < m ? `<b class="child">Forward mode</b> needs ${n}` : `<b class="total">Backward</b> needs ${m}`;
  const which = n === m ? `both need ${n}` : `${faster} pass${Math.min(n, m) === 1 ? "" : "es"}, the other direction ${Math.max(n, m)}`;
  const loss = m === 1 && n > 1 ? " A loss is one output, so training runs backward." : "";
  return `${outputs}, ${inputs}, ${n * m} derivatives: ${which}.${loss}`;
}

const sized = (n, m) => ({ n: clamp(Math.round(n), 1, MOST), m: clamp(Math.round(m), 1, MOST), passes: 0 });
const start = { n: 12, m: 3, passes: 2.6 };
const next = ({ passes }) => ({ passes: Math.floor(passes) + 1 });
const tick = ({ passes }) => ({ passes: Math.round(5 * passes + 1) / 5 });

export const directions = {
  does: "Drag a corner, and let the two directions race",
  hint: "A column is an input, a row an output.",
  start,
  still: { n: 16, m: 5, passes: 4.6 },
  others: [{ n: 3, m: 14, passes: 2 }, { n: 20, m: 1, passes: 1 }, { n: 6, m: 6, passes: 6 }],
  facts, says,
  picture: shown,
  drag(state, [x, y], wide, name) {
    const at = gridsOf(state, wide)[name.split(" ")[1]];
    return sized((x - 8 - at.x) / at.cell, (y - 8 - at.y) / at.cell);
  },
  press: ({ n, m }, [x, y]) => sized(n + x, m - y),
  controls: [
    { play: "start", tick, idle: isDone, calm: 5 * MOST },
    { press: "one pass", change: next, idle: isDone },
    { press: "again", change: () => ({ passes: 0 }), idle: ({ passes }) => !passes },
    { slide: "inputs", of: "n", min: 1, max: MOST, change: ({ m }, n) => sized(n, m) },
    { slide: "outputs", of: "m", min: 1, max: MOST, change: ({ n }, m) => sized(n, m) },
  ],
};
