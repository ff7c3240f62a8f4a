// Which boxes stand in the row of a network.

import assert from "node:assert/strict";
import { test } from "node:test";
import { linksOf, rowOf } from "../../../../../viz/page/src/network/row.js";

const box = (shows, ...boxes) => ({ shows, name: `f${shows}`, holds: boxes.length ? boxes.flatMap(({ holds }) => holds) : [shows],
  ...(boxes.length ? { boxes } : {}) });
const chain = count => Array.from({ length: count }, (_, k) => box(k));
const names = row => row.map(({ box: found, more }) => (found ? found.name : `… ${more.length}`)).join(" ");

test("a short row shows every box", () => assert.equal(names(rowOf(chain(4), [0, 3], 7)), "f0 f1 f2 f3"));

test("a long row keeps what is looked at and the end, and never has more things than there is room for", () => {
  for (let most = 4; most < 9; most++)
    for (let looked = 0; looked < 30; looked++) {
      const row = rowOf(chain(30), [looked, 29], most), shown = row.flatMap(({ box: found, more }) => (found ? [found] : more));
      assert.ok(row.length <= most, `${most} ${looked}: ${names(row)}`);
      assert.deepEqual(shown.map(({ shows }) => shows), chain(30).map(({ shows }) => shows));
      assert.ok(row.some(thing => thing.box?.shows === looked) && row.at(-1).box?.shows === 29, names(row));
    }
});

test("the scope of what is looked at is open, and others are closed where there is no room", () => {
  const boxes = [box(0), box(9, box(1), box(2), box(3)), box(19, box(11), box(12), box(13)), box(20)];
  assert.equal(names(rowOf(boxes, [12, 20], 6)), "f0 f9 f11 f12 f13 f20");
  assert.equal(names(rowOf(boxes, [12, 20], 8)), "f0 f1 f2 f3 f11 f12 f13 f20");
});

test("a link joins things once, over closed boxes too", () => {
  const boxes = [box(0), box(9, box(1), box(2)), box(3)], inputs = v => [[], [0], [1], [2, 0]][v];
  assert.deepEqual(linksOf(rowOf(boxes, [3], 3), inputs), [[0, 1], [1, 2], [0, 2]]);
});
