// The mathematics of a nudge: how z changes if an input changes, and how z behaves at a point. Knows nothing of the page.

const USUAL = 0.1, MOST_TRIES = 6; // a usual nudge is a tenth of the largest
export const HOLDS = 0.2; // of the rise: a tangent holds if it is as near as this
const SCALES = [1e-3, 1e-4, 1e-5]; // of the span: the nudges that find a kink
const SMALLEST_NUDGE = 1e-9; // of the span: a jump is still as high
export const ROUNDING = 8 * Number.EPSILON; // relative error of a value and of its neighbour

// Return the largest sensible nudge of a number: a power of ten that is not larger than it, and 1 for 0.
const spanOf = a => (a === 0 || !Number.isFinite(a) ? 1 : tenTo(Math.floor(Math.log10(Math.abs(a)) + 1e-12)));
export const tenTo = power => Number(`1e${Math.max(Math.round(power), -300)}`);
// Return a number without the rounding errors of its last digits: 0.30000000000000004 is 0.3.
export const tidy = number => Number(number.toPrecision(12));

const SHAKEN = [[1, -2, 3], [-3, 5, 2], [7, 4, -6], [-11, -8, 9]]; // last digits of the inputs, which change by so much
const NOTHING = 1e-9; // a larger number is not 0, even if rounding may have made it

// Return the numbers f(x). One is 0 if it is only the rounding of terms that cancel: if the inputs change in their last digits, it changes
// by as much as itself. Python (rounding_error.py) knows the terms of each sum.
export function settled(f, x) {
  const found = [...f(x)], moved = movedBy(found, SHAKEN.map(by => f(shaken(x, by))));
  return found.map((number, i) => (Math.abs(number) < NOTHING && moved[i] >= Math.abs(number) ? 0 : number));
}

// The same for arrays f(arrays), which are `found`; a place of them may be empty. An entry is also 0 if it is smaller than what rounding
// has made of another entry of its array. Nothing runs again unless an entry is tiny.
export function settledArrays(found, f, arrays) {
  if (!found.some(array => array?.some(number => number !== 0 && Math.abs(number) < NOTHING))) return found;
  const near = SHAKEN.map(by => f(arrays.map(array => shaken(array, by))));
  return found.map((array, k) => {
    if (!array) return array;
    const moved = movedBy(array, near.map(other => other[k]));
    const isLost = array.map((number, i) => Number(Math.abs(number) < NOTHING && 2 * moved[i] >= Math.abs(number)));
    const noise = moved.reduce((most, by, i) => (isLost[i] ? Math.max(most, by) : most), 0);
    return array.map((number, i) => (isLost[i] || Math.abs(number) <= noise ? 0 : number));
  });
}

const shaken = (x, by) => x.map((a, k) => a * (1 + by[k % by.length] * Number.EPSILON));
const movedBy = (found, near) => found.map((number, i) => Math.max(...near.map(other => Math.abs(other[i] - number))));

// A point: the numbers of the inputs, all values there, and the derivatives. `k` counts the inputs.
export class Place {
  constructor(run, x) {
    const { live } = run;
    this.run = run;
    this.x = [...x];
    this.values = [...live.values(this.x)];
    const partials = at => live.partials(live.values(at));
    this.partials = settled(partials, this.x);
    this.totals = settled(at => live.totals(partials(at)), this.x);
    // At the start these are the tensors' own gradient.
    this.slopes = live.inputs.map((v, k) => (x === live.start && this.totals[v] !== 0 && run.gradient?.[k]) || this.totals[v]);
    this.z = this.values[run.z];
    // The error of z by rounding.
    this.slack = ROUNDING * this.values.reduce((sum, value, v) => sum + finiteOr0(Math.abs(value * this.totals[v])), 0);
    this.behaviours = [];
    this.spans = [];
  }

  // Return all values after a nudge of input k by h.
  nudged(k, h) {
    const x = [...this.x];
    x[k] += h;
    return this.run.live.values(x);
  }

  rise(k, h) {
    return this.nudged(k, h)[this.run.z] - this.z;
  }

  // Return whether the rise of a nudge is more than the error of z by rounding; a rise of 0 is, if the slope is 0.
  isHeard(k, h) {
    return Math.max(Math.abs(this.rise(k, h)), Math.abs(this.slopes[k] * h)) > this.slack || this.rise(k, h) === this.slopes[k] * h;
  }

  // Return the largest nudge of the slider: over a tenth of it the tangent holds to both sides, if there is such a nudge.
  span(k) {
    if (this.spans[k]) return this.spans[k];
    const widest = (this.spans[k] = this.width(k)), holds = size => [1, -1].every(sign => this.holds(k, sign * size * USUAL));
    const sizes = Array.from({ length: MOST_TRIES + 1 }, (_, tries) => tenTo(Math.log10(widest) - tries));
    return (this.spans[k] = sizes.find(holds) ?? widest);
  }

  // Return whether slope × nudge is near the rise. Where no slope is promised, or it is lost in rounding, no nudge is better than another.
  holds(k, h) {
    const { rise, promised, kind } = this.compare(k, h);
    if (["not finite", "apart", "too small", "rounded", "exactly"].includes(kind)) return kind !== "not finite";
    return promised === 0 ? kind === "about" : Math.abs(rise - promised) <= HOLDS * Math.abs(rise) + this.slack;
  }

  // Return the largest nudge that is sensible for the size of the input.
  width(k) {
    return spanOf(this.x[k]);
  }

  // Return the nudge that the page begins with, and asks a guess about.
  usual(k) {
    return tidy(this.span(k) * USUAL);
  }

  behaviour(k) {
    return (this.behaviours[k] ??= behaviourOf(this, k));
  }

  // Return the slope that a nudge in this direction sees: at a kink each side has its own.
  slopeTowards(k, h) {
    const { kind, right, left } = this.behaviour(k);
    return kind === "kink" ? (h < 0 ? left : right) : this.slopes[k];
  }

  // Return the straight lines that touch the curve: [[slope, from, to]], from −1 to 1.
  tangents(k) {
    const { kind, right, left } = this.behaviour(k), slope = kind === "differs" ? right : this.slopes[k];
    if (kind === "kink") return [[left, -1, 0], [right, 0, 1]];
    return ["smooth", "differs"].includes(kind) && Number.isFinite(slope) ? [[slope, -1, 1]] : [];
  }

  // Return how the rise compares with slope × nudge: {rise, promised, slope, kind}. `kind` is "exactly" only for a function that is
  // straight over the span, within rounding.
  compare(k, h) {
    const slope = this.slopeTowards(k, h), rise = this.rise(k, h), promised = slope * h;
    return { rise, promised, slope, kind: this.kindOf(k, h, slope, rise, promised) };
  }

  kindOf(k, h, slope, rise, promised) {
    if (!Number.isFinite(rise)) return "not finite";
    if (!Number.isFinite(promised) || ["jump", "steep", "edge", "differs"].includes(this.behaviour(k).kind)) return "apart";
    if (this.x[k] + h === this.x[k]) return "too small";
    const straight = step => Math.abs(this.rise(k, step) - slope * step) <= this.slack + ROUNDING * Math.abs(slope * this.x[k]);
    if (promised !== 0 && Math.abs(promised) <= this.slack) return "rounded";
    if (straight(h) && straight(Math.sign(h) * Math.max(Math.abs(h), this.span(k)))) return "exactly";
    const usual = promised === 0 ? finiteOr0(Math.abs(this.rise(k, Math.sign(h) * this.span(k)) * h) / this.span(k)) : 0;
    return Math.abs(rise - promised) <= Math.max(Math.abs(promised) / 2, usual / 6) + this.slack ? "about" : "far";
  }
}

export const finiteOr0 = number => (Number.isFinite(number) ? number : 0);

// What a table says of an input whose derivative is not simply a slope.
export const KINDS = {
  kink: "a kink", jump: "a jump", steep: "no tangent", edge: "no tangent", differs: "✗ differ", value: "result not finite",
  input: "input not finite",
};

// Return how z behaves at a point in the direction of input k: {kind, right, left}.
//   smooth   the nudges confirm the derivative          kink    two slopes, `right` and `left`
//   jump     z changes at once by `right`, `left`       steep   the ratio grows without bound
//   edge     z is not finite at the `right` or `left`   differs the nudges lead to the slope `right`, the rule says another
//   value    z itself is not finite                     input   the input is not finite
function behaviourOf(place, k) {
  if (!Number.isFinite(place.x[k])) return { kind: "input" };
  if (!Number.isFinite(place.z)) return { kind: "value" };
  const [right, left] = [1, -1].map(sign => sideOf(place, k, sign));
  if (!right.finite || !left.finite) return { kind: "edge", right: right.finite, left: left.finite };
  if (right.jump || left.jump) return { kind: "jump", right: right.jump, left: left.jump };
  if (right.steep || left.steep) return { kind: "steep", right: right.steep, left: left.steep };
  const both = { right: right.slope, left: left.slope }, noise = Math.max(right.noise, left.noise), wide = Math.max(right.wide, left.wide);
  const apart = (a, b) => Math.abs(a - b) > 1e-3 * Math.max(Math.abs(a), Math.abs(b), wide) + noise;
  if (apart(right.slope, left.slope)) return { kind: "kink", ...both };
  return {
    kind: apart((right.slope + left.slope) / 2, place.slopes[k]) || !Number.isFinite(place.slopes[k]) ? "differs" : "smooth", ...both,
  };
}

// Return what three smaller and smaller nudges to one side say: {finite, jump, steep, slope, wide, noise}.
function sideOf(place, k, sign) {
  const a = place.x[k], steps = [...SCALES, SMALLEST_NUDGE].map(scale => a + sign * scale * place.span(k) - a);
  const rises = steps.map(h => place.rise(k, h)), ratios = rises.map((rise, j) => rise / steps[j]), sure = 100 * place.slack;
  const [r0, r1, r2] = ratios.map(Math.abs), heard = Math.abs(rises[2]) > sure; // not only rounding
  return {
    finite: rises.slice(0, 3).every(Number.isFinite),
    jump: heard && rises.slice(1).every((rise, j) => Math.abs(rise) > 0.8 * Math.abs(rises[j])) ? rises[3] : 0,
    steep: r1 > 1.8 * r0 && r2 > 1.8 * r1 && heard ? Math.sign(ratios[2]) * Infinity : 0,
    slope: (10 * ratios[2] - ratios[1]) / 9, // without the error that shrinks with the nudge
    wide: r0,
    noise: (4 * place.slack) / Math.abs(steps[2]),
  };
}

const NEGLIGIBLE = 1e-12; // relative change of a value that is only rounding

// Return whether a number beside others is only the rounding of their sum.
export const isNoise = (number, others) =>
  number !== 0 && Math.abs(number) <= NEGLIGIBLE * Math.max(...others.map(Math.abs).map(finiteOr0));

export const isChange = (before, now) =>
  !Object.is(before, now) &&
  !(Math.abs(now - before) <= NEGLIGIBLE * Math.min(Number.MAX_VALUE, Math.max(Math.abs(now), Math.abs(before))));
