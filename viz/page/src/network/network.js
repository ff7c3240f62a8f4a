// A network whose page computes it: its leaves, a place with all arrays and derivatives, and what a nudge of an entry does.

import { HOLDS, ROUNDING, isChange, settledArrays, tenTo, tidy } from "../nudging/nudging.js";
import { programs } from "../programs.js";
import { ArrayProgram } from "./array_program.js";
import { Cells, steepest } from "./grids.js";

const QUICK = 150_000; // products of a run; of a longer one a curve has fewer points
const AGREE = 1e-3; // how far the page's z may be from the engine's, which may compute with four bytes
const KEPT = 3; // results that are kept
const isNear = (number, expected, size) => Math.abs(number - expected) <= AGREE * size;

export class Network {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    this.program = new ArrayProgram(run.network.program, programs.network);
    this.leaves = run.network.program.leaves;
    this.start = new NetworkPlace(this, this.program.run());
  }

  // Whether the page computes what the engine has computed: z, and the steepest slope of each leaf.
  get agrees() {
    const { z, carried } = this.run.network, known = Object.entries(carried);
    const steepness = Math.max(0, ...known.map(([, { slope }]) => Math.abs(slope)));
    return Number.isFinite(z) && isNear(this.start.z, z, Math.max(Math.abs(z), 1)) &&
      known.every(([leaf, { entry, slope }]) => isNear(this.start.slope(+leaf, entry), slope, Math.max(Math.abs(slope), 0.1 * steepness)));
  }

  // Return the entry of a cell of a leaf's picture: in a block of many, that with the steepest slope.
  entryAt(leaf, cell) {
    const entries = new Cells(this.run.variables[leaf].shape).entriesOf(cell);
    return entries.length > 1 ? steepest(this.start.gradient(leaf), entries) : entries[0];
  }

  // Return how many products a run from a leaf on computes.
  costFrom(leaf) {
    return this.program.from(leaf).reduce((sum, k) => sum + this.costOf(this.program.operations[k]), 0);
  }

  get cost() {
    return this.program.operations.reduce((sum, op) => sum + this.costOf(op), 0);
  }

  costOf({ terms = [], y }) {
    return terms.reduce((sum, { sizes }) => sum + sizes.reduce((a, b) => a * b, 1), this.program.sizes[y]);
  }
}

// A place: the arrays at some numbers of the leaves, and the derivatives there.
export class NetworkPlace {
  constructor(network, arrays) {
    this.network = network;
    this.arrays = arrays;
    this.z = arrays[network.program.z][0];
    this.recent = [];
    this.found = null; // the derivatives
    this.curves = new Map();
  }

  get gradients() {
    const { program, leaves } = this.network, at = own => program.gradients(program.run(new Map(leaves.map((leaf, k) => [leaf, own[k]]))));
    return (this.found ??= settledArrays(program.gradients(this.arrays), at, leaves.map(leaf => this.arrays[leaf])));
  }

  gradient(leaf) {
    return this.gradients[leaf] ?? new Float64Array(this.arrays[leaf].length);
  }

  slope(leaf, entry) {
    return this.gradient(leaf)[entry];
  }

  // Return the leaf and the entry with the steepest slope, among these leaves.
  steepest(leaves = this.network.leaves) {
    const best = leaves.map(leaf => steepest(this.gradient(leaf)));
    const k = steepest(leaves.map((leaf, i) => this.slope(leaf, best[i]) || 0));
    return [leaves[Math.max(k, 0)], Math.max(best[Math.max(k, 0)], 0)];
  }

  // Return the largest nudge of the slider: about twice the size of the entry, or of its array.
  span(leaf, entry) {
    const array = this.arrays[leaf], usual = Math.sqrt(array.reduce((sum, x) => sum + x * x, 0) / array.length);
    const size = Math.max(Math.abs(array[entry]), usual) || 1, unit = tenTo(Math.floor(Math.log10(size)));
    return tidy(unit * ([5, 2].find(k => k * unit <= 2 * size) ?? 1));
  }

  // Return the nudge that the page begins with: one for which the tangent holds, unless the function is very steep.
  usual(leaf, entry) {
    const widest = tidy(this.span(leaf, entry) / 2), holds = h => {
      const { rise, promised, kind } = this.compare(leaf, entry, h);
      return kind === "exactly" || Math.abs(rise - promised) <= HOLDS * Math.abs(rise);
    };
    return [1, 0.5, 0.2, 0.1, 0.05, 0.02].map(part => tidy(part * widest)).find(holds) ?? widest;
  }

  // Return all arrays after a nudge of one entry.
  nudged(leaf, entry, h) {
    if (h === 0) return this.arrays;
    const key = `${leaf} ${entry} ${h}`, known = this.recent.find(found => found.key === key);
    if (known) return known.arrays;
    const array = this.arrays[leaf].slice();
    array[entry] += h;
    const arrays = this.network.program.after(this.arrays, leaf, array);
    this.recent = [{ key, arrays }, ...this.recent].slice(0, KEPT);
    return arrays;
  }

  zAfter(leaf, entry, h) {
    return this.nudged(leaf, entry, h)[this.network.program.z][0];
  }

  // Return z as a function of the nudge. Of a large network it is computed at some points, and joined by straight lines.
  curve(leaf, entry, reach) {
    const cost = this.network.costFrom(leaf);
    if (cost <= QUICK) return h => this.zAfter(leaf, entry, h);
    return sampled(h => this.zAfter(leaf, entry, h), -reach, reach, cost, this.curves, `${leaf} ${entry} ${reach}`);
  }

  // Return how the rise compares with slope × nudge.
  compare(leaf, entry, h) {
    const slope = this.slope(leaf, entry), change = this.zAfter(leaf, entry, h) - this.z, promised = slope * h;
    const rise = slope === 0 && Math.abs(change) <= ROUNDING * Math.abs(this.z) ? 0 : change;
    const error = Math.abs(rise - promised), slack = 100 * ROUNDING * Math.max(Math.abs(this.z), 1e-300);
    const kind = !Number.isFinite(rise) ? "not finite" : error <= slack ? "exactly" : error <= 0.5 * Math.abs(promised) + slack ? "about"
      : "far";
    return { slope, rise, promised, kind };
  }
}

const MOST_WORK = 12_000_000; // products for the points of a curve

// Return a function that joins points of another one, which are computed once for each key.
export function sampled(f, from, to, cost, known, key) {
  const count = 2 * Math.round(Math.max(10, Math.min(60, MOST_WORK / cost)) / 2); // 0 is one of the points
  if (!known.has(key)) known.set(key, Array.from({ length: count + 1 }, (_, k) => f(from + ((to - from) * k) / count)));
  const points = known.get(key);
  return h => {
    const at = Math.max(0, Math.min(count, (count * (h - from)) / (to - from))), k = Math.min(count - 1, Math.floor(at));
    return points[k] + (points[k + 1] - points[k]) * (at - k);
  };
}

// Return how many entries of an array differ from those of another.
export const changes = (before, now) => (before === now ? 0 : before.reduce((count, x, k) => count + (isChange(x, now[k]) ? 1 : 0), 0));
