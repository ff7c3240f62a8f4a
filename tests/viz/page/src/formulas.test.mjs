// Formulas below boxes: as much of them as there is room for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fitting } from "../../../../viz/page/src/graph/formula_lines.js";

const shown = (runs, width) => fitting(runs, width, 10).map(([text]) => text).join("");

test("a formula is cut by the widths of its letters", () => {
  assert.equal(shown([["l(i) + t", ""]], 34), "l(i) + t");
  assert.equal(shown([["m(w) + m", ""]], 34), "m(w) …");
  assert.equal(shown([["m(w) + m", ""]], 46), "m(w) + m");
});

test("indices take less room, and a cut formula keeps their kinds", () => {
  const runs = [["h", ""], ["1234", "sub"], ["·w", ""]];
  assert.deepEqual(fitting(runs, 100, 10), [["h", ""], ["1234", "sub"], ["\u2009·\u2009w", ""]]);
  assert.deepEqual(fitting(runs, 24, 10), [["h", ""], ["123", "sub"], ["…", ""]]);
  assert.deepEqual(fitting([], 24, 10), []);
});
