// The texts below and beside a curve.

import assert from "node:assert/strict";
import { test } from "node:test";
import { toldApart } from "../../../../viz/page/src/panels/plot.js";

test("different numbers have different texts, and no more digits than that needs", () => {
  assert.deepEqual(toldApart([-1, 0, 0.5]), ["−1", "0", "0.5"]);
  assert.deepEqual(toldApart([1.02550, 1.025505, 1.02551]), ["1.0255", "1.025505", "1.02551"]);
  assert.deepEqual(toldApart([100000.1, 100000.2]), ["100000.1", "100000.2"]);
  assert.deepEqual(toldApart([1 - 2 ** -53, 1]).length, new Set(toldApart([1 - 2 ** -53, 1])).size);
  assert.deepEqual(toldApart([3, 3]), ["3", "3"]);
});
