// Gradient descent: all inputs move at once, each by the step size times its derivative. Knows nothing of the page.

import { HOLDS, KINDS, Place, ROUNDING, finiteOr0, tenTo, tidy } from "./nudging.js";

const MULTIPLES = [...Array(19).keys()].map(k => k + 2).concat(50, 100); // of the first step size: where a step may be too far
const MOST_STOPS = 200; // of the slider
const MOST_SHORTER = 27; // step sizes that are tried, each about half of the last
const FAIR = 0.5; // of its size: z changes by at most so much in the first step

export class Descent {
  sign = -1; // 1: z is to become larger

  constructor(run) {
    this.run = run;
    this.places = [new Place(run, run.live.start)];
    this.measure();
  }

  get place() {
    return this.places.at(-1);
  }

  // The derivatives that move the inputs. An input without a finite derivative stays where it is.
  get slopes() {
    return this.place.slopes.map(finiteOr0);
  }

  // Choose the first step size, the slider's range and its steps, from the place where the inputs are.
  measure() {
    const { slopes, place } = this, widest = Math.max(...slopes.map((_, k) => place.width(k)));
    const sizes = slopes
      .map((slope, k) => Math.max(place.width(k), widest / 10) / Math.abs(slope))
      .filter(size => size > 0 && Number.isFinite(size));
    const fair = (FAIR * Math.abs(place.z)) / Math.abs(this.pace);
    this.first = roundDown(sizes.length ? Math.min(...sizes, fair > 0 && Number.isFinite(fair) ? fair : Infinity) : 1);
    for (let tries = 0; tries < MOST_SHORTER && !this.isKept(this.first); tries++) this.first = roundDown(this.first / 2);
    const far = MULTIPLES.find(k => this.isTooFar(k * this.first));
    this.tooFar = far === undefined ? null : tidy(far * this.first);
    this.most = tidy((this.tooFar ?? MULTIPLES[18] * this.first) + this.first);
    this.step = this.most / (this.first / 5) <= MOST_STOPS ? tidy(this.first / 5) : this.first;
  }

  moved(rate) {
    return this.place.x.map((x, k) => x + this.sign * rate * this.slopes[k]);
  }

  valuesAfter(rate) {
    return this.run.live.values(this.moved(rate));
  }

  zAfter(rate) {
    return this.valuesAfter(rate)[this.run.z];
  }

  // Return how fast z changes with the step size: the sum of the squares of the derivatives.
  get pace() {
    return this.sign * this.slopes.reduce((sum, slope) => sum + slope * slope, 0);
  }

  promised(rate) {
    const z = this.place.z + rate * this.pace;
    return Math.abs(z) <= ROUNDING * Math.abs(this.place.z) ? 0 : z;
  }

  isTooFar(rate) {
    return !(this.sign * (this.zAfter(rate) - this.place.z) >= 0);
  }

  // Return whether z changes about as much as the derivatives promise.
  isKept(rate) {
    return Math.abs(this.zAfter(rate) - this.promised(rate)) <= HOLDS * Math.abs(rate * this.pace);
  }

  take(rate) {
    this.places.push(new Place(this.run, this.moved(rate).map(tidyer)));
  }

  restart(sign = this.sign) {
    this.sign = sign;
    this.places = this.places.slice(0, 1);
    this.measure();
  }
}

const tidyer = number => Number(number.toPrecision(15));

// Return the largest of 1, 2, 5, 10, 20, 50, … that is not larger.
function roundDown(size) {
  const unit = tenTo(Math.floor(Math.log10(size) + 1e-12));
  return tidy(unit * [5, 2, 1].find(k => k * unit <= size * (1 + 1e-12)));
}

const ALIKE = 1e-2; // relative difference of the two ways
const SMALLER = [1e-4, 1e-5, 1e-6, 1e-7]; // of the largest nudge: those that check a derivative

// Return how nudging compares with the chain rule for each input: [{h, ratio, slope, verdict}].
export function checks(place) {
  return place.slopes.map((slope, k) => {
    const { kind } = place.behaviour(k), all = SMALLER.map(size => tidy(place.width(k) * size)), ratioOf = by => place.rise(k, by) / by;
    const h = all.find(by => Math.abs(ratioOf(by) - slope) <= ALIKE * Math.abs(slope)) ?? all[0], ratio = ratioOf(h);
    const lost =
      kind === "smooth" &&
      Math.abs(ratio - slope) > ALIKE * Math.max(Math.abs(slope), place.width(k)) &&
      Math.abs(ratio - slope) * h <= 4 * place.slack;
    return { h, ratio, slope, kind: lost ? "rounded" : kind, verdict: lost ? "rounding" : KINDS[kind] ?? "✓ agree" };
  });
}
