// Chapter 21: which places a place looks at. Its query is compared with all keys, and softmax makes weights of the scores.

import { inner, matrix } from "./matrix.js";
import { digits } from "./numbers.js";
import { box, group, mixed, part, picture, tag, words } from "./svg.js";

const WORDS = ["the", "robot", "takes", "the", "cup"];
const Q = [[0.5, 1.5], [1, -1], [2, 0.5], [0.5, 2], [0.5, -1]]; // two numbers for each place
const K = [[0.5, -1], [1.5, 1], [-0.5, -1.5], [0, -0.5], [1, 2]];
const V = [0, 4, 2, 0, 8];
const PLACES = WORDS.length, TOP = 58, APART = 112;

// Return the weights of all places, from the query of place i. A mask leaves out the later ones.
function weightsOf(i, masked, sharp) {
  const scores = K.map((key, j) => (masked && j > i ? -Infinity : (sharp * inner(Q[i], key)) / Math.SQRT2));
  const powers = scores.map(score => Math.exp(score - Math.max(...scores))), sum = powers.reduce((a, b) => a + b, 0);
  return powers.map(power => power / sum);
}

function facts({ masked, sharp }) {
  const weights = WORDS.map((_, i) => weightsOf(i, masked, sharp));
  return { weights, results: weights.map(row => inner(row, V)) };
}

function shown(state, wide) {
  const { i } = state, { weights, results } = facts(state), gap = wide / PLACES, X = j => gap * (j + 0.5), narrow = wide < 520;
  const side = Math.min(54, gap), left = (wide - PLACES * side) / 2, below = TOP + APART + 76;
  const word = (j, y, look, at) => {
    const frame = box(X(j) - gap / 2 + 3, y - 18, gap - 6, 30, { rx: 7, class: "cell" });
    const content = [frame, words(X(j), y + 3, WORDS[j], { "text-anchor": "middle" })];
    return at ? part(`word ${j}`, `query of "${WORDS[j]}"`, j === i, { class: look }, content) : group({ class: look }, content);
  };
  const ray = (weight, j) => tag("path", {
    d: `M${X(i)} ${TOP + APART - 19}C${X(i)} ${TOP + APART - 60} ${X(j)} ${TOP + 66} ${X(j)} ${TOP + 13}`, fill: "none", class: "ray",
    "stroke-width": Math.max(0.5, 22 * weight).toFixed(2), "stroke-opacity": (0.25 + 0.6 * weight).toFixed(2),
  });
  return picture(wide, below + PLACES * side + 6, "five words, and with which weight each looks at the others",
    words(2, 12, "keys and values", { class: "quiet" }), words(2, TOP + APART + 34, "queries", { class: "quiet" }),
    group({}, weights[i].map((weight, j) => (weight ? ray(weight, j) : ""))),
    group({}, WORDS.map((_, j) => word(j, TOP, weights[i][j] ? "other" : "padding", false))),
    group({}, WORDS.map((_, j) => word(j, TOP + APART, j === i ? "here" : "", true))),
    group({}, weights[i].map((weight, j) => words(X(j), TOP - 26, weight ? digits(weight, 2) : "masked", {
      class: weight ? "number" : "quiet", "text-anchor": "middle",
    }))),
    matrix({
      x: left, y: below, rows: PLACES, columns: PLACES, wide: side, high: side, name: narrow ? "all weights" : "the weights of all places",
      cell: (row, column) => ({
        text: weights[row][column] ? digits(Number(weights[row][column].toFixed(2))) : "", look: row === i ? "here" : "",
        style: mixed("child", 45 * weights[row][column]),
        at: `row ${row} ${column}`, label: `weight of "${WORDS[column]}" for "${WORDS[row]}": ${digits(weights[row][column], 2)}`,
      }),
    }),
    narrow ? "" : group({}, results.map((y, row) =>
      words(left + PLACES * side + 12, below + row * side + side / 2 + 5, `y = ${digits(y, 3)}`, {
        class: `number${row === i ? " strong" : " quiet"}`,
      }))),
  );
}

function says(state) {
  const { i } = state, { weights, results } = facts(state), most = weights[i].indexOf(Math.max(...weights[i]));
  const written = weights[i].map(weight => Number(weight.toFixed(4))); // enough for a sum that a reader adds up again
  const terms = written.flatMap((weight, j) => (weight && V[j] ? [`${weight} · ${V[j]}`] : [])).join(" + ") || "0";
  const looks = state.sharp
    ? `“${WORDS[i]}” looks most at <b class="child">“${WORDS[most]}”</b>, because its query goes best with that key.`
    : "All scores are 0, so all weights are equal.";
  return `${looks} `
    + `The values are ${V.join(", ")}, so y = ${terms} ≈ <b class="current">${digits(results[i], 3)}</b>.`;
}

const start = { i: 2, masked: false, sharp: 1 };
const rowOf = at => Number(at.split(" ")[1]);

export const attention = {
  does: "Point at a word to see where it looks",
  hint: "Then make the scores larger, or hide later words.",
  start,
  still: start,
  others: [{ i: 2, masked: true, sharp: 1 }, { i: 4, masked: false, sharp: 2.5 }],
  facts, says,
  picture: shown,
  point: (_, at) => ({ i: rowOf(at) }),
  beside: (_, at, [x, y]) => `word ${rowOf(at) + (x || -y)}`,
  controls: [
    { choose: "mask", of: "masked", options: [[false, "all words"], [true, "no later words"]] },
    { slide: "scores", of: "sharp", max: 4, step: 0.25, written: sharp => `× ${sharp}` },
  ],
};
