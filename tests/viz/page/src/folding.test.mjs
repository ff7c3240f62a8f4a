// The layout of a graph with scopes: what is shown, where, and how lines go from box to box.

import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../../../viz/page/src/folding/layout.js";
import { Model } from "../../../../viz/page/src/folding/model.js";
import { routes } from "../../../../viz/page/src/folding/routes.js";

const SCREEN = { wide: 1000, high: 600 };

// x → (scope: a → b, a → c → b) → z, where the scope is number 1: as viz/layout/arrangement.py ranks it.
function model() {
  const node = (inputs, scope, saved) => ({ inputs, scope, wide: 60, high: 30, saved });
  const nodes = [
    node([], 0), node([0], 1, [["a", "3", 24, 7]]), node([1], 1, [["c", "3", 24, 7], ["d", "1", 8, 8]]), node([1, 2], 1), node([3], 0),
  ];
  const scopes = [
    { name: "", parent: null, ranks: [[0], [-2], [4]] },
    { name: "layer", parent: 0, ranks: [[1], [2, ["1,3"]], [3]], wide: 90, high: 50 },
  ];
  return new Model({ nodes, scopes, z: 4 });
}

function boxes(found) {
  const { places } = layout(found, SCREEN);
  return [...places].map(([thing, { x, y, wide, high }]) => ({ thing, left: x, right: x + wide, top: y, bottom: y + high }));
}

test("a closed scope stands for its nodes, and opening it shows them", () => {
  const found = model();
  assert.deepEqual(boxes(found).map(({ thing }) => thing), [0, -2, 4]);
  assert.equal(found.shown(2), -2);
  found.toggle(1);
  assert.deepEqual(boxes(found).map(({ thing }) => thing).sort((a, b) => a - b), [-2, 0, 1, 2, 3, 4]);
  found.toggle(1);
  assert.deepEqual([...found.open], [0]);
  found.reveal(2);
  assert.deepEqual([...found.open], [0, 1]);
});

test("paths, what leads to z, and the memory of a scope are counted once", () => {
  const found = model();
  assert.deepEqual(found.paths, [2, 2, 1, 1, 1]);
  assert.deepEqual([...found.leading(2)], [2, 3, 4]);
  assert.deepEqual(found.memory(-2), { blocks: 2, bytes: 32 });
  assert.deepEqual(found.meeting(0, 3), { scope: 0, a: 0, b: -2 });
});

test("no two boxes overlap, an open scope holds its boxes, and inputs stand before what uses them", () => {
  const found = model();
  found.toggle(1);
  const at = new Map(boxes(found).map(box => [box.thing, box])), scope = at.get(-2), inner = [1, 2, 3].map(v => at.get(v));
  for (const box of inner) assert.ok(scope.left < box.left && box.right < scope.right && scope.top < box.top && box.bottom < scope.bottom);
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  for (const a of [...inner, at.get(0), at.get(4)]) for (const b of [...inner, at.get(0), at.get(4)]) assert.ok(a === b || apart(a, b));
  for (const [x, y] of [[0, 1], [1, 2], [2, 3], [3, 4]]) assert.ok(at.get(x).right <= at.get(y).left);
});

test("boxes of one rank stand below each other, near what they are linked to", () => {
  const leaf = inputs => ({ inputs, scope: 0, wide: 60, high: 30 }), nodes = [leaf([]), ...[1, 2, 3].map(() => leaf([0])), leaf([1, 2, 3])];
  const found = boxes(new Model({ nodes, scopes: [{ name: "", parent: null, ranks: [[0], [1, 2, 3], [4]] }], z: 4 }));
  const middles = found.map(({ top, bottom }) => (top + bottom) / 2), rank = found.slice(1, 4);
  for (let k = 1; k < 3; k++) assert.ok(rank[k].top > rank[k - 1].bottom);
  assert.deepEqual([middles[0], middles[4]], [middles[2], middles[2]]);
});

test("two nodes meet in the innermost scope around both", () => {
  const scopes = [null, 0, 1, 1].map(parent => ({ name: "", parent, ranks: [] }));
  const node = (inputs, scope) => ({ inputs, scope, wide: 1, high: 1 });
  const nested = new Model({ nodes: [node([], 2), node([0], 3), node([1], 2)], scopes, z: 2 });
  assert.deepEqual(nested.meeting(0, 1), { scope: 1, a: -3, b: -4 });
  assert.deepEqual(nested.meeting(0, 2), { scope: 2, a: 0, b: 2 });
});

test("a line begins at the right of one box and ends at the left of the other, and all uses of one thing by another are one line", () => {
  const found = model(), closed = routes(found, layout(found, SCREEN));
  assert.deepEqual(closed.map(({ a, b }) => [a, b]), [[0, -2], [-2, 4]]);
  found.toggle(1);
  const arranged = layout(found, SCREEN), lines = routes(found, arranged);
  assert.deepEqual(lines.map(({ uses }) => uses).flat().length, 5);
  for (const { a, b, points } of lines) {
    const from = arranged.places.get(a), to = arranged.places.get(b);
    assert.deepEqual([points[0], points.at(-1)], [[from.x + from.wide, from.y + from.high / 2], [to.x, to.y + to.high / 2]]);
  }
});

test("a chain that is wider than the window stands in several rows, none wider than the window", () => {
  const nodes = Array.from({ length: 30 }, (_, v) => ({ inputs: v ? [v - 1] : [], scope: 0, wide: 60, high: 30 }));
  const chain = new Model({ nodes, scopes: [{ name: "", parent: null, ranks: nodes.map((_, v) => [v]) }], z: 29 }), found = boxes(chain);
  const rows = new Set(found.map(({ top }) => top)), right = Math.max(...found.map(box => box.right));
  assert.ok(rows.size > 1 && right - Math.min(...found.map(({ left }) => left)) <= SCREEN.wide);
  assert.deepEqual(found.map(({ thing }) => thing), [...nodes.keys()]);
});
