// Chapter 22: ResNet-50 layer by layer: its weights, the multiplications of its forward pass for one image, and the numbers of its
// results, of which most wait for the backward pass.

import { clamp, thousands } from "./numbers.js";
import { box, group, handle, line, picture, words } from "./svg.js";

const SIDE = 32, CLASSES = 10, STAGES = [[3, 64, 1], [4, 128, 2], [6, 256, 2], [3, 512, 2]]; // blocks, width, stride of the first block
const ROW = 92, TOP = 0;

const convolution = (name, stage, inside, outside, kernel, side) =>
  ({ name, stage, weights: inside * outside * kernel ** 2, pixels: side ** 2, results: outside * side ** 2, shape: `${kernel}×${kernel}` });

// Return the layers that have weights, in the order of the forward pass.
function layersOf() {
  const layers = [convolution("conv1", 0, 3, 64, 3, SIDE)];
  let inside = 64, side = SIDE;
  for (const [k, [blocks, width, stride]] of STAGES.entries())
    for (let block = 0; block < blocks; block++) {
      const name = layer => `layer${k + 1}.${block}.${layer}`, after = block ? side : side / stride;
      layers.push(
        convolution(name("conv1"), k + 1, inside, width, 1, side), convolution(name("conv2"), k + 1, width, width, 3, after),
        convolution(name("conv3"), k + 1, width, 4 * width, 1, after),
      );
      if (!block) layers.push(convolution(name("downsample"), k + 1, inside, 4 * width, 1, after));
      [inside, side] = [4 * width, after];
    }
  return [...layers, { name: "fc", stage: 5, weights: inside * CLASSES, pixels: 1, results: CLASSES, shape: "linear" }];
}

const LAYERS = layersOf();
const ROWS = {
  weights: { of: ({ weights }) => weights, name: "weights", look: "partial" },
  work: { of: ({ weights, pixels }) => weights * pixels, name: "multiplications", look: "current" },
  results: { of: ({ results }) => results, name: "numbers of results", look: "child" },
};

const total = numbers => numbers.reduce((sum, x) => sum + x, 0);
const shareOf = (row, layer) => total(LAYERS.slice(0, layer + 1).map(ROWS[row].of)) / total(LAYERS.map(ROWS[row].of));

function facts({ layer }) {
  const all = Object.fromEntries(Object.entries(ROWS).map(([row, { of }]) => [row, LAYERS.map(of)]));
  return { ...all, shares: Object.keys(ROWS).map(row => shareOf(row, layer)) };
}

const percent = share => `${share > 0 && share < 0.01 ? "< 1" : Math.round(100 * share)} %`;
const across = (k, wide) => 2 + (k / LAYERS.length) * (wide - 4);

function shown({ layer }, wide) {
  const X = k => across(k, wide), low = TOP + 3 * ROW, edge = X(layer + 1);
  const first = stage => LAYERS.findIndex(one => one.stage === stage);
  return picture(wide, low + 54, "ResNet-50: the weights, the work and the results of each layer",
    group({}, Object.keys(ROWS).map((row, k) => bars(row, TOP + (k + 1) * ROW - 8, layer, wide))),
    group({}, [1, 2, 3, 4].map(stage => [
      lines(X(first(stage)), "faint"),
      words(X(first(stage)) - 2, low + 16, wide < 480 ? stage : `stage ${stage}`, { class: "quiet" }),
    ])),
    lines(edge, "cursor"), line([[edge, low + 22], [edge, low + 34]], { class: "cursor" }),
    group({}, Object.keys(ROWS).map((row, k) => words(wide - 2, TOP + k * ROW + 17, percent(shareOf(row, layer)), {
      class: `number strong ${ROWS[row].look}`, "text-anchor": "end",
    }))),
    handle("layer", "layer", layer, LAYERS[layer].name, [edge, low + 36]),
  );
}

// Return an upright line through the bars of each row, but not through the words above them.
const lines = (x, look) => Object.keys(ROWS).map((_, k) => line([[x, TOP + k * ROW + 24], [x, TOP + (k + 1) * ROW - 4]], { class: look }));

// Return a bar for each layer, with their sum above them.
function bars(row, bottom, layer, wide) {
  const { of, name, look } = ROWS[row], numbers = LAYERS.map(of), most = Math.max(...numbers), high = ROW - 34;
  const gap = across(1, wide) - across(0, wide);
  return group({},
    words(2, bottom - high - 9, `${name}: ${written(total(numbers))}`, { class: `strong ${look}` }),
    box(0, bottom - high - 2, wide, high + 3, { rx: 4, class: "paper" }),
    numbers.map((number, k) => box(across(k, wide) + 0.5, bottom - (high * number) / most, Math.max(1, gap - 1), (high * number) / most, {
      class: `bar ${look}${k <= layer ? " before" : ""}`,
    })),
  );
}

const written = number => (number >= 1e9 ? `${(number / 1e9).toFixed(1)} billion` : `${(number / 1e6).toFixed(1)} million`);

function says({ layer }) {
  const one = LAYERS[layer], [weights, effort, results] = Object.keys(ROWS).map(row => percent(shareOf(row, layer)));
  const times = one.pixels === 1 ? "once" : `${thousands(one.pixels)} times`;
  return `<b>${one.name}</b> (${one.shape}): ${thousands(one.weights)} weights, each used ${times}. `
    + `Up to here: <b class="partial">${weights}</b> of the weights, <b class="current">${effort}</b> of the work, `
    + `<b class="child">${results}</b> of the results.`;
}

const moved = layer => ({ layer: clamp(Math.round(layer), 0, LAYERS.length - 1) });
const start = { layer: 24 };

export const work = {
  does: "Drag through the layers",
  hint: "Where are the weights, the work and the memory?",
  start,
  still: { layer: 24 },
  others: [{ layer: 0 }, { layer: 10 }, { layer: 43 }],
  facts, says,
  picture: shown,
  drag: (_, [x], wide) => moved(((x - 2) / (wide - 4)) * LAYERS.length - 1),
  press: (state, [x, y]) => moved(state.layer + (x || y)),
  controls: [
    { press: "back", label: "one layer back", change: ({ layer }) => moved(layer - 1), idle: ({ layer }) => layer === 0 },
    { press: "next", label: "one layer on", change: ({ layer }) => moved(layer + 1), idle: ({ layer }) => layer === LAYERS.length - 1 },
  ],
};
