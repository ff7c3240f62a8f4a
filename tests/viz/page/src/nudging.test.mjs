// The mathematics of nudges, paths and descent, on small graphs of numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Descent, checks } from "../../../../viz/page/src/nudging/descent.js";
import { Place, isNoise, settled, settledArrays } from "../../../../viz/page/src/nudging/nudging.js";
import { countPaths, effects, effectsAlong, firstPaths, leadingPaths } from "../../../../viz/page/src/nudging/paths.js";

// z = f(x), with the derivative that the rule says.
function runOf(f, slope, x) {
  const live = { inputs: [0], start: [x], values: ([a]) => [a, f(a)], partials: ([a]) => [slope(a)], totals: ([p]) => [p, 1] };
  return { z: 1, live, variables: [{}, {}] };
}

// A ladder of n squares y = x · x: two edges from each variable to the next, so 2ⁿ paths.
function ladder(n) {
  const edges = Array.from({ length: 2 * n }, (_, e) => ({ input: e >> 1, output: (e >> 1) + 1 }));
  const variables = Array.from({ length: n + 1 }, () => ({}));
  const edgesFrom = variables.map((_, v) => (v < n ? [2 * v, 2 * v + 1] : []));
  return { z: n, order: [...variables.keys()].reverse(), variables, edges, edgesFrom };
}

test("a point knows whether z is smooth there, or has a kink, a jump, no tangent, another slope than the rule says", () => {
  const kindOf = (f, slope, x) => new Place(runOf(f, slope, x), [x]).behaviour(0).kind;
  assert.equal(kindOf(x => x * x, x => 2 * x, 3), "smooth");
  assert.equal(kindOf(Math.abs, () => 0, 0), "kink");
  assert.equal(kindOf(Math.floor, () => 0, 2), "jump");
  assert.equal(kindOf(Math.cbrt, () => Infinity, 0), "steep");
  assert.equal(kindOf(Math.sqrt, () => Infinity, 0), "edge");
  assert.equal(kindOf(x => x * x, x => x, 3), "differs");
  assert.equal(kindOf(x => x, () => 1, NaN), "input");
  assert.equal(kindOf(() => NaN, () => 1, 1), "value");
});

test("a nudge is compared with the tangent", () => {
  const square = new Place(runOf(x => x * x, x => 2 * x, 3), [3]), line = new Place(runOf(x => 2 * x, () => 2, 3), [3]);
  assert.deepEqual([square.usual(0), square.compare(0, 0.1).kind, line.compare(0, 0.1).kind], [0.1, "about", "exactly"]);
  assert.ok(Math.abs(square.compare(0, 0.1).promised - 0.6) < 1e-12 && Math.abs(square.rise(0, 0.1) - 0.61) < 1e-12);
  const kink = new Place(runOf(Math.abs, () => 0, 0), [0]);
  assert.deepEqual([kink.slopeTowards(0, 1), kink.slopeTowards(0, -1)].map(Math.round), [1, -1]);
});

test("the first nudge is so small that the tangent holds, to both sides", () => {
  const cases = [[x => (x - 99) ** 2 - 1e-3 * x, x => 2 * (x - 99) - 1e-3, 100], [x => (x - 3.1) ** 4, x => 4 * (x - 3.1) ** 3, 3],
    [Math.exp, Math.exp, 20], [x => Math.sin(40 * x), x => 40 * Math.cos(40 * x), 5], [x => 1 / (x - 9.9), x => -1 / (x - 9.9) ** 2, 10],
    [x => 0.3 * x ** 2 - 60.54 * x, x => 0.6 * x - 60.54, 100]];
  for (const [f, slope, x] of cases) {
    const place = new Place(runOf(f, slope, x), [x]);
    for (const sign of [1, -1]) {
      const h = sign * place.usual(0), { rise, promised, kind } = place.compare(0, h);
      const isNear = Math.abs(rise - promised) <= 0.2 * Math.abs(rise) && rise * promised > 0;
      assert.ok(isNear && kind === "about", `${f}: ${h} ${rise} ${promised}`);
    }
  }
  const low = new Place(runOf(x => (x - 3) ** 2, x => 2 * (x - 3), 3), [3]);
  assert.deepEqual([low.usual(0), low.compare(0, 0.1).kind], [0.1, "about"], "where the slope is 0, a smaller nudge shows no more");
  const valley = new Place(runOf(x => (x - 95) ** 2, x => 2 * (x - 95), 100), [100]);
  assert.equal(valley.compare(0, -30).kind, "far", "the sign is the other one");
});

test("paths are counted over each edge once, and the first few are found without visiting all", () => {
  const run = ladder(60), ones = run.edges.map(() => 1);
  assert.equal(countPaths(run)[0], 2 ** 60);
  assert.deepEqual(firstPaths(ladder(2), 0, 3, [1, 1, 1, 1]), [[0, 2], [0, 3], [1, 2]]);
  assert.deepEqual(firstPaths(ladder(2), 0, 2, [0, 1, 1, 1]), [[1, 2], [1, 3]]); // those that carry something first
  const { paths, count, idle } = leadingPaths(run, ones.with(0, 0), 0);
  assert.deepEqual([paths.length, count, idle], [2, 2 ** 60, 2 ** 59]);
});

test("the path that is shown alone is the strongest of those that are drawn whole", () => {
  const partials = Array.from({ length: 16 }, (_, e) => [1e-3, 2, -5, 0.1, 1, 3, 7, 4][e % 8]);
  const run = ladder(8), path = scene => leadingPaths({ ...run, scene }, partials, 0), sizeOf = found =>
    Math.abs(found.reduce((product, e) => product * partials[e], 1));
  const all = firstPaths(run, 0, 256, partials), best = Math.max(...all.map(sizeOf));
  assert.equal(all.length, 256);
  assert.deepEqual([sizeOf(path().example), sizeOf(path().paths[0])], [best, best]);
  const drawn = run.edges.map((_, e) => e).filter(e => e !== path().example[0]);
  const near = { ways: [[0, 1]], scenes: [{}, { edges: drawn }] }, found = path({ ways: [near] });
  const whole = all.filter(edges => edges.every(e => drawn.includes(e)));
  assert.ok(found.example.every(e => drawn.includes(e)) && found.paths.some(edges => edges.join() === found.example.join()));
  assert.equal(sizeOf(found.example), Math.max(...whole.map(sizeOf)));
  assert.equal(sizeOf(path({ ways: [] }).example), best, "a small graph is drawn whole");
  const none = path({ ways: [{ ways: [[0, 0]], scenes: [{ edges: [0] }] }] });
  assert.equal(none.example.length, 8, "where none is drawn whole, one of the strongest");
});

test("along a path factors multiply, over several paths effects add", () => {
  const run = ladder(2), partials = [2, 3, 5, 7];
  assert.equal(effects(run, partials, 0, 0.1).arrived[2], 0.1 * (2 + 3) * (5 + 7));
  assert.deepEqual([...effectsAlong(partials, [0, 3], 1)], [[0, 2], [3, 14]]);
});

test("a step of descent makes z smaller, and one that is too far does not", () => {
  const descent = new Descent(runOf(x => x * x, x => 2 * x, 3)), { first, tooFar } = descent;
  assert.ok(descent.zAfter(first) < 9 && !descent.isTooFar(first) && tooFar > first && descent.isTooFar(tooFar));
  descent.take(first);
  assert.ok(Math.abs(descent.place.x[0] - (3 - 6 * first)) < 1e-12 && descent.places.length === 2);
  descent.restart(1);
  assert.ok(descent.places.length === 1 && descent.zAfter(descent.first) > 9);
});

test("nudging confirms a derivative or says that it differs", () => {
  const verdict = slope => checks(new Place(runOf(x => x * x, slope, 3), [3]))[0].verdict;
  assert.deepEqual([verdict(x => 2 * x), verdict(x => 3 * x)], ["✓ agree", "✗ differ"]);
});

test("a rise that is only rounding is not heard, and a number that is only rounding is noise beside others", () => {
  const large = new Place(runOf(x => 1e9 + x * x, x => 2 * x, 3), [3]), flat = new Place(runOf(() => 2, () => 0, 3), [3]);
  assert.deepEqual([1, 1e-3, 1e-8].map(h => large.isHeard(0, h)), [true, true, false]);
  assert.ok(flat.isHeard(0, 1e-8), "nothing changes, and that is exact");
  assert.deepEqual([7e-15, 0.01, 0].map(number => isNoise(number, [0.0354, 0.03])), [true, false, false]);
});

test("a number that is only rounding is 0, a small number is not", () => {
  assert.deepEqual(settled(([x]) => [Math.cos(x), Math.sin(x)], [Math.PI / 2]), [0, 1]);
  assert.deepEqual(settled(([a, b, c]) => [a + b - c], [0.1, 0.2, 0.3]), [0]);
  assert.deepEqual(settled(([x]) => [Math.exp(x), 1e-20 * x], [-46]), [Math.exp(-46), -46e-20]);
  const place = new Place({ ...runOf(Math.sin, Math.cos, Math.PI / 2), quantities: [] }, [Math.PI / 2]);
  assert.deepEqual([place.partials, place.slopes], [[0], [0]]);
});

test("of arrays too, and they are not computed again without a tiny entry", () => {
  const f = ([x, y]) => [x.map((a, k) => a + y[k] - 0.3), undefined, x.map(a => 1e-20 * a), y];
  const x = [new Float64Array([0.1, 0.1]), new Float64Array([0.2, 0.5])], found = f(x);
  assert.notEqual(found[0][0], 0);
  const settledOnes = settledArrays(found, f, x).map(array => array && [...array]);
  assert.deepEqual(settledOnes, [[0, 0.1 + 0.5 - 0.3], undefined, [1e-20 * 0.1, 1e-20 * 0.1], [0.2, 0.5]]);
  const large = [new Float64Array([1, 2])];
  assert.equal(settledArrays(large, () => assert.fail("computed again"), [x[0]]), large);
});
