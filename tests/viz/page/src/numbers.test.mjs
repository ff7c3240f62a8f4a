// Numbers: as text, as functions of the table of rules, as answers of a learner. tests/browser compares many more with Python's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agreesAll, finiteNumber, parseAnswer } from "../../../../viz/page/src/answers.js";
import { functions } from "../../../../viz/page/src/functions.js";
import { changeTexts, toldApart, written } from "../../../../viz/page/src/numbers.js";
import { besideEachOther, bracketed, changedText, digits, inWords, movedTexts, signed, times } from "../../../../viz/page/src/say.js";

test("a number has six digits, no trailing zeros and a true minus", () => {
  const texts = new Map([
    [0, "0"], [-0, "0"], [0.3, "0.3"], [-2, "−2"], [1 / 3, "0.333333"], [123456.5, "123456"], [123457.5, "123458"], [1e6, "1000000"],
    [1234567.5, "1234568"], [1e7, "1e+07"],
    [0.0001, "0.0001"], [0.00001, "1e−05"], [-1.5e16, "−1.5e+16"], [Infinity, "inf"], [-Infinity, "−inf"], [NaN, "nan"],
  ]);
  for (const [number, text] of texts) assert.equal(written(number), text);
});

test("a sentence has signs, brackets, fewer digits and counts in words", () => {
  assert.deepEqual([signed(2), signed(-2), bracketed(-2), digits(1 / 3, 2)], ["+2", "−2", "(−2)", "0.33"]);
  assert.equal(times(3, -2), "3\u00a0×\u00a0(−2)");
  assert.deepEqual([changedText(1.00001, 1), changedText(2, 1)], ["1.00001", "2"]);
  assert.deepEqual([inWords(3), inWords(12), inWords(1.23e20), inWords(Infinity)], ["three", "12", "about 1.2 · 10²⁰", "more than 10³⁰⁸"]);
});

test("a number before and after a change, and the change, have the same decimals", () => {
  const texts = new Map([
    [[177079.3, 182237.2], "177079 182237 5158"], [[0.49, 0.5041], "0.49 0.5041 0.0141"], [[4.489781, 4.489791], "4.48978 4.48979 1e−05"],
    [[34, 34.9], "34 34.9 0.9"],
    [[-1.60894, -1.58704], "−1.6089 −1.587 0.0219"], [[0, 1e-6], "0 1e−06 1e−06"], [[1e7, 1.1e7], "1e+07 1.1e+07 1000000"],
  ]);
  for (const [[before, now], text] of texts) {
    const { was, now: is, change } = changeTexts(before, now);
    assert.equal([was, is, change].join(" "), text);
  }
  assert.equal(Object.values(changeTexts(-7.55254, -7.56207, 4)).join(" "), "−7.5525 −7.5621 −0.0096 4 true");
  for (const few of [[-7.55254, -7.56207, 3], [-2.6062909, -2.6061151]]) assert.equal(changeTexts(...few).exact, false);
});

test("functions give what Python's rows give where JavaScript's own differ", () => {
  const { pow, erf, round, sign, remainder, floor_divide, fmod, maximum, fmax, where } = functions;
  assert.deepEqual([pow(1, NaN), pow(-1, Infinity)], [1, 1]);
  assert.ok(Math.abs(erf(0.5) - 0.5204998778130465) < 1e-15 && erf(7) === 1 && erf(-7) === -1);
  assert.deepEqual([round(2.5), round(3.5), Object.is(round(-0.4), 0)], [2, 4, true]);
  assert.deepEqual([sign(-3), sign(0), sign(NaN)], [-1, 0, NaN]);
  assert.deepEqual([remainder(-7, 3), remainder(7, -3), fmod(-7, 3)], [2, -2, -1]);
  assert.deepEqual([floor_divide(-7, 3), floor_divide(7, 3), floor_divide(1, 0)], [-3, 2, Infinity]);
  assert.deepEqual([maximum(NaN, 1), fmax(NaN, 1), where(NaN, 1, 2), where(0, 1, 2)], [NaN, 1, 1, 2]);
});

test("an answer may be a decimal, a fraction, in other digits, or rows of numbers", () => {
  const isRight = (text, right, exact = false) => agreesAll(parseAnswer(text, 1, false), [right], exact);
  assert.ok(isRight("1/3", 1 / 3) && isRight("−2.5", -2.5));
  assert.ok(isRight("٣", 3) && isRight("𝟡", 9) && isRight("0.333", 1 / 3) && isRight("-inf", "-inf"));
  assert.ok(!isRight("0.33", 1 / 3) && !isRight("0.333", 1 / 3 + 0.001) && !isRight("3", -3));
  assert.ok(isRight("9", 9, true) && !isRight("9.0001", 9, true));
  assert.deepEqual(parseAnswer("[1 2; 3 4]", 4, true).map(({ number }) => number), [1, 2, 3, 4]);
  assert.throws(() => parseAnswer("1 2", 4, true), /all 4 entries/);
  assert.throws(() => parseAnswer("x", 1, false), /“x” is not a number/);
  assert.equal(finiteNumber("1,5"), 1.5);
  assert.throws(() => finiteNumber("inf"), /finite/);
});

test("different numbers have different texts, and no more digits than that needs", () => {
  assert.deepEqual(toldApart([-1, 0, 0.5]), ["−1", "0", "0.5"]);
  assert.deepEqual(toldApart([1.02550, 1.025505, 1.02551]), ["1.0255", "1.025505", "1.02551"]);
  assert.deepEqual(toldApart([100000.1, 100000.2]), ["100000.1", "100000.2"]);
  assert.deepEqual(toldApart([1 - 2 ** -53, 1]).length, new Set(toldApart([1 - 2 ** -53, 1])).size);
  assert.deepEqual(toldApart([3, 3]), ["3", "3"]);
});

test("a number before and after a step has as many digits as show that it has moved", () => {
  assert.deepEqual(movedTexts(100, 100 + 0.0002 * 0.5386), ["100", "100.0001"]);
  assert.deepEqual(movedTexts(3, 2.4), ["3", "2.4"]);
  assert.deepEqual(movedTexts(0.12345678, 0.12345679), ["0.12345678", "0.12345679"]);
  assert.deepEqual(movedTexts(-1 / 3, -1 / 3), ["−0.3333", "−0.3333"]);
});

test("the numbers below a curve have fewer digits if they would meet, then the middle one is left out", () => {
  assert.deepEqual(besideEachOther([0.22383, 0.32383, 0.42383], 30), ["0.22383", "0.32383", "0.42383"]);
  assert.deepEqual(besideEachOther([0.22383, 0.32383, 0.42383], 17), ["0.22", "0.32", "0.42"]);
  assert.deepEqual(besideEachOther([0, 0.00013, 0.00026], 14), ["0", "", "0.00026"]);
});
