// A teacher's minutes, and the number that an exercise asks for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { shared, sumOf, timed } from "../../../../tutorial/book/src/minutes.js";
import { isRight, numberIn } from "../../../../tutorial/book/src/predicted_number.js";

test("minutes are shared by weights, and none is lost", () => {
  assert.deepEqual(shared(40, [1, 1, 2]), [10, 10, 20]);
  assert.deepEqual(shared(10, [1, 1, 1]), [3, 4, 3]);
  for (let minutes = 1; minutes < 60; minutes++) {
    const parts = shared(minutes, [700, 20, 3100, 1, 950]);
    assert.equal(sumOf(parts), minutes);
    assert.ok(parts.every(part => part >= 0) && parts[2] === Math.max(...parts));
  }
});

test("each row of a plan begins when the one before it ends", () => {
  const rows = timed([{ title: "a", minutes: 3 }, { title: "b", minutes: 0 }, { title: "c", minutes: 5 }, { title: "d", minutes: 1 }]);
  assert.deepEqual(rows.map(({ title, from }) => [title, from]), [["a", 0], ["b", 3], ["c", 3], ["d", 8]]);
});

test("a predicted number is read as readers write it", () => {
  const texts = new Map([["9", 9], [" -2.5 ", -2.5], ["−2.5", -2.5], ["1/3", 1 / 3], ["−1/4", -0.25], ["1e-3", 0.001], ["0,5", 0.5]]);
  for (const [text, number] of texts) assert.equal(numberIn(text), number, text);
  for (const text of ["", " ", "x", "1/", "/3", "1/2/3", "1/0", "inf", "--1"]) assert.ok(Number.isNaN(numberIn(text)), text);
});

test("a number is right up to rounding errors, and nan never is", () => {
  assert.ok(isRight(1 / 3, 0.3333333333333) && isRight(-1e12, -1e12 - 1) && isRight(0, 1e-10));
  assert.ok(!isRight(0.333, 1 / 3) && !isRight(2, -2) && !isRight(NaN, 0));
});
