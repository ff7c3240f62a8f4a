// Chapter 26: eight shards on some machines, and the order in which their gradients, float32 numbers, are added.

import { clamp, dice } from "./numbers.js";
import { box, dot, group, handle, line, picture, runs, words } from "./svg.js";

const SHARDS = 8, LEVEL = 19, TALLEST = SHARDS - 1, TOP = 34, LOW = TOP + TALLEST * LEVEL + 8, ROW = 22; // pixels
const throws = dice(575), NUMBERS = Array.from({ length: SHARDS }, () => Math.fround(10 * throws())); // the gradient of each shard
const WAYS = { chain: "left to right", arrival: "as they arrive", tree: "one fixed tree" };

const leaf = (shard, machine) => ({ value: NUMBERS[shard], at: shard + 0.5, level: 0, machine, children: [] });
const add = (a, b) => ({
  value: Math.fround(a.value + b.value), at: (a.at + b.at) / 2, level: Math.max(a.level, b.level) + 1,
  machine: a.machine === b.machine ? a.machine : -1, children: [a, b],
});
const inRow = nodes => nodes.reduce(add);

// Return the shards (from, to) of each machine. Each is a node of the fixed tree.
/** @returns {number[][]} */
function blocksOf(machines, from = 0, to = SHARDS) {
  const middle = (from + to) >> 1, half = machines >> 1;
  return machines === 1 ? [[from, to]] : [...blocksOf(half, from, middle), ...blocksOf(machines - half, middle, to)];
}

function inTree(nodes) {
  const half = nodes.length >> 1;
  return half ? add(inTree(nodes.slice(0, half)), inTree(nodes.slice(half))) : nodes[0];
}

// Return the sum of all shards as a node, whose children are the sums before.
function sumOf({ way, run }, machines) {
  const blocks = blocksOf(machines);
  const leaves = blocks.flatMap(([from, to], m) => Array.from({ length: to - from }, (_, k) => leaf(from + k, m)));
  if (way === "tree") return inTree(leaves);
  const sums = blocks.map(([from, to]) => inRow(leaves.slice(from, to))), when = dice(run + 1);
  const ready = sums.map(sum => ({ sum, at: when() }));
  return inRow(way === "chain" ? sums : ready.sort((a, b) => a.at - b.at).map(({ sum }) => sum));
}

const all = Array.from({ length: SHARDS }, (_, k) => k + 1);
const facts = state => ({ sums: all.map(machines => sumOf(state, machines).value), steps: sumOf(state, state.machines).level });

const looks = ["child", "partial"], lookOf = ({ machine }) => (machine < 0 ? "current" : looks[machine % 2]);
const written = value => value.toPrecision(8).replace("-", "−");

function shown(state, wide) {
  const { machines } = state, X = at => (at / SHARDS) * wide, Y = ({ level }) => LOW - level * LEVEL, root = sumOf(state, machines);
  const edges = node => node.children.map(child => [
    line([[X(child.at), Y(child)], [X(node.at), Y(node)]], { class: `branch ${lookOf(node)}` }), edges(child),
  ]);
  const nodes = node => [node.children.map(nodes), dot([X(node.at), Y(node)], node.level ? 5 : 4, { class: `join ${lookOf(node)}` })];
  const blocks = blocksOf(machines), edge = X(blocks[0][1]), below = LOW + 66, one = written(sumOf(state, 1).value);
  return picture(wide, below + 4 * ROW + 34, "eight shards on some machines, and the sums of their gradients",
    group({}, blocks.map(([from, to], m) => group({},
      box(X(from) + 3, LOW - 14, X(to) - X(from) - 6, 52, { rx: 8, class: `machine ${looks[m % 2]}` }),
      words((X(from) + X(to)) / 2, LOW + 29, wide / machines > 90 ? `machine ${m + 1}` : m + 1, {
        class: "quiet", "text-anchor": "middle",
      }),
    ))),
    group({}, edges(root)), group({}, nodes(root)),
    words(clamp(X(root.at), 60, wide - 60), Y(root) - 12, written(root.value), { class: "number strong", "text-anchor": "middle" }),
    words(2, below + 10, "the sum with …", { class: "quiet" }),
    group({}, all.map(m => {
      const text = written(sumOf(state, m).value), same = [...text].findIndex((digit, k) => digit !== one[k]);
      const x = m > 4 ? wide / 2 : 2, y = below + 34 + ((m - 1) % 4) * ROW, isNow = m === machines, look = isNow ? "strong current" : "";
      return group({},
        words(x, y, `${m} ${wide < 480 ? "" : m > 1 ? "machines" : "machine"}`, { class: isNow ? "strong current" : "quiet" }),
        runs(x + (wide < 480 ? 26 : 106), y, same < 0 ? [[text, look]] : [
          [text.slice(0, same), look], [text.slice(same), "strong wrong"],
        ]),
      );
    })),
    handle("machines", "machines", machines, String(machines), [edge, LOW + 38]),
  );
}

function says(state) {
  const { way, machines } = state, { sums, steps } = facts(state), kinds = new Set(sums).size;
  const many = `${machines} machine${machines === 1 ? "" : "s"}`;
  const turns = `With ${many}, a gradient goes through at most <b class="current">${steps} additions</b>.`;
  const why = {
    chain: `The number of machines decides the order, so there are <b class="wrong">${kinds} different sums</b>.`,
    arrival: "Who is ready first decides the order: press “run again”, and <b class=\"wrong\">the same program</b> may give another sum.",
    tree: "The tree is the same for any number of machines, and so is <b class=\"child\">each bit of the sum</b>.",
  };
  return `${turns} ${why[way]}`;
}

const moved = machines => ({ machines: clamp(Math.round(machines), 1, SHARDS) });
const start = { way: "chain", machines: 4, run: 0 };

export const tree = {
  does: "Drag the number of machines, and watch the last digits",
  hint: "Then fix the order of the sums.",
  start,
  still: start,
  others: [{ ...start, way: "tree" }, { ...start, way: "arrival", run: 3 }, { ...start, way: "arrival", machines: 6, run: 4 }],
  facts, says,
  picture: shown,
  drag: (_, [x], wide) => moved(SHARDS / Math.max(0.5, (x / wide) * SHARDS)),
  press: (state, [x, y]) => moved(state.machines + (y || -x)),
  controls: [
    { choose: "order", of: "way", options: Object.entries(WAYS) },
    { slide: "machines", of: "machines", min: 1, max: SHARDS, change: (_, machines) => moved(machines) },
    { press: "run again", change: ({ run }) => ({ run: run + 1 }), idle: ({ way }) => way !== "arrival" },
  ],
};
