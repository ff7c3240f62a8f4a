// The cells of pictures of arrays, and the way to an entry.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Cells, gridOf, steepest, windowsTo } from "../../../../../viz/page/src/network/grids.js";
import { indicesOf } from "../../../../../viz/page/src/numbers.js";

test("the matrices of the last two axes, or one matrix if they are too many", () => {
  assert.deepEqual(gridOf([2, 1, 3, 4]), { matrices: 2, rows: 3, columns: 4 });
  assert.deepEqual(gridOf([5]), { matrices: 1, rows: 1, columns: 5 });
  assert.deepEqual(gridOf([]), { matrices: 1, rows: 1, columns: 1 });
  assert.deepEqual(gridOf([64, 32, 3, 3]), { matrices: 1, rows: 64, columns: 288 });
});

test("every entry is in one cell, and the windows lead to it", () => {
  for (const shape of [[2, 1, 3, 4], [40, 50], [7], [], [20, 3, 5, 5], [1000]]) {
    const size = shape.reduce((a, b) => a * b, 1), cells = new Cells(shape), all = Array.from({ length: cells.count }, (_,
      k) => cells.entriesOf(k));
    assert.deepEqual(all.flat().sort((a, b) => a - b), Array.from({ length: size }, (_, k) => k));
    for (const entry of [0, Math.floor(size / 3), size - 1]) {
      assert.ok(all[cells.cellOf(entry)].includes(entry));
      const last = new Cells(shape, windowsTo(shape, entry).at(-1));
      assert.ok(last.isWhole);
      assert.deepEqual(last.entriesOf(last.cellOf(entry)), [entry]);
    }
  }
});

test("a cell shows the mean of its block", () => {
  const cells = new Cells([32, 1]);
  assert.deepEqual([...cells.of(Float64Array.from({ length: 32 }, (_, k) => k))], Array.from({ length: 16 }, (_, k) => 2 * k + 0.5));
});

test("indices start at 0, and the steepest entry may fall", () => {
  assert.deepEqual(indicesOf(7, [2, 3, 2]), [1, 0, 1]);
  assert.equal(steepest([1, -3, 2]), 1);
  assert.equal(steepest([1, -3, 2], [0, 2]), 2);
});
