// Act 4 for a network: a step of gradient descent on all entries at once, with the learning rate on the slider.

import { stillFrame } from "../acts/act.js";
import { button } from "../dom.js";
import { tenTo, tidy } from "../nudging/nudging.js";
import { digits, say, wordsOf } from "../say.js";
import { arrayHalf, boxOfChange } from "./layers_panel.js";
import { NetworkPlace, changes, sampled } from "./network.js";
import { sharesTable, tableOf } from "./shares.js";
import { networkWords } from "./words.js";

const KEPT = 0.4; // of the promised fall: a smaller step keeps more of its promise
const MULTIPLES = [2, 3, 4, 5, 7, 10, 15, 20];
const CHECKING = 1e-4, ALIKE = 1e-3, MOST_CHECKED = 6;

/** @param {Run} run */
export function networkUse(run, network, player) {
  const told = networkWords(run), { name } = wordsOf(run);
  let places = [network.start], at = -1, rate = 0, taken = false, measured = null, recent = null, curves = new Map();
  const place = () => places.at(-1);

  function arraysAfter(step) {
    if (step === 0) return place().arrays;
    if (recent?.step === step && recent.place === place()) return recent.arrays;
    const leaves = new Map(network.leaves.map(leaf => [leaf, place().arrays[leaf].map((x,
      k) => x - step * finite(place().gradient(leaf)[k]))]));
    recent = { step, place: place(), arrays: network.program.run(leaves) };
    return recent.arrays;
  }

  const zAfter = step => arraysAfter(step)[network.program.z][0];
  const norms = () => network.leaves.map(leaf => place().gradient(leaf).reduce((sum, slope) => sum + finite(slope) ** 2, 0));
  const pace = () => norms().reduce((a, b) => a + b, 0);

  // The first step size, and one that is too far.
  function sizes() {
    if (measured?.place === place()) return measured;
    const fall = pace(), kept = step => place().z - zAfter(step) >= KEPT * step * fall;
    let first = tenTo(1);
    while (first > 1e-8 && !kept(first)) first = smaller(first);
    const tooFar = MULTIPLES.map(k => k * first).find(step => !(zAfter(step) < place().z));
    const most = tidy(1.2 * (tooFar ?? 5 * first));
    measured = { place: place(), first, tooFar: tooFar ?? null, most };
    return measured;
  }

  const canMove = () => Number.isFinite(place().z) && pace() > 0;
  const steps = [
    { name: "the answer", view: "answers", say: () => told.answers() },
    { name: "check", view: "check", say: () => told.check(checked(), network.leaves.length) },
    ...(network.start.z === undefined ? [] : [
      { name: "one step", view: "moves", rate: () => sizes().first, say: now => (canMove() ? told.step(rate, place().z, now)
        : told.flat()) },
      { name: "too far", view: "moves", rate: () => sizes().tooFar ?? sizes().most, say: now => (canMove() ? told.tooFar(rate, place().z,
        now) : told.flat()) }]),
    { name: "what now?", view: "moves", rate: () => sizes().first, say: () => told.end() },
  ];

  function enterStep(i) {
    at = i;
    taken = false;
    if (places.length > 1) restart();
    rate = steps[i].rate && canMove() ? steps[i].rate() : 0;
  }

  function restart() {
    places = [network.start];
    curves = new Map();
  }

  function change(amount) {
    rate = Math.max(0, tidy(amount));
    player.refresh();
  }

  function take(count = 1) {
    for (let k = 0; k < count && canMove(); k++) {
      if (!rate) rate = sizes().first;
      places.push(new NetworkPlace(network, arraysAfter(rate)));
    }
    curves = new Map();
    taken = true;
    player.refresh();
  }

  function startAgain() {
    restart();
    rate = sizes().first;
    taken = false;
    player.refresh();
  }

  const buttons = [
    button(() => take(), {}, "take the step"), button(() => take(10), {}, "take 10"), button(startAgain, {}, "start again"),
  ];

  // Nudge the steepest entry of some parameters, and compare with the derivative.
  let verified = null;
  function checked() {
    return (verified ??= network.leaves.slice(0, MOST_CHECKED).map(leaf => {
      const start = network.start, [, entry] = start.steepest([leaf]), slope = start.slope(leaf, entry), h = CHECKING * start.span(leaf,
        entry);
      const ratio = (start.zAfter(leaf, entry, h) - start.zAfter(leaf, entry, -h)) / (2 * h);
      return { leaf, entry, slope, ratio, agrees: Math.abs(ratio - slope) <= ALIKE * Math.max(Math.abs(slope),
        Math.abs(ratio)) + 1e-7 * Math.abs(start.z) / h };
    }));
  }

  function layersOf(now, moving) {
    const before = place().arrays;
    return {
      looked: [run.z],
      carries: v => moving && rate > 0 && changes(before[v], now[v]) > 0,
      box(v) {
        return boxOfChange(before[v], now[v], run.variables[v].shape, moving && rate ? changes(before[v], now[v]) : 0);
      },
      leaf(v) {
        const { shape } = run.variables[v], gradient = place().gradient(v);
        return {
          state: moving && rate ? "chosen" : "", tag: "",
          upper: { ...arrayHalf(now[v], shape, { digitsOf: x => digits(x, 3) }), about: "value" },
          lower: { ...arrayHalf(gradient, shape, { kind: "total", digitsOf: x => digits(x, 3) }), about: "derivative" },
        };
      },
      pick: () => {}, pickLeaf: () => {},
    };
  }

  function frame(i) {
    if (i !== at) enterStep(i);
    const { view } = steps[i], moving = view === "moves" && canMove(), now = arraysAfter(moving ? rate : 0), z = now[run.z][0];
    const { most } = canMove() ? sizes() : { most: 1 }, stop = tidy(tenTo(Math.floor(Math.log10(most / 50))));
    const turn = many => change(Math.min(most, rate + (many * most) / 20));
    return {
      ...stillFrame(run, "use", i, run.z),
      said: taken ? told.taken(places.length - 1) : steps[i].say(z),
      keys: moving ? { ArrowUp: () => turn(1), ArrowDown: () => turn(-1) } : {},
      layers: layersOf(now, moving),
      strip: moving
        ? {
          chooser: places.length > 1 ? buttons : buttons.slice(0, 2), turn, set: change, label: "learning rate", value: rate, least: 0,
            most, step: stop,
          text: digits(rate), readout: told.useReadout(rate, place().z, z, place().z - rate * pace()),
        }
        : null,
      plot: canMove() ? plotOf(z, most) : null,
      slopes: view === "check" ? checksOf() : partsOf(moving),
    };
  }

  function plotOf(z, most) {
    const to = Math.max(most, rate * 1.05), f = sampled(zAfter, 0, to, network.cost, curves, `${places.length} ${to}`);
    return {
      title: [name(run.z), " against the learning rate"], note: `all ${told.total.toLocaleString("en")} entries move at once`,
      key: `network use ${places.length} ${to}`, f: r => (r === rate ? z : f(r)), from: 0, to, at: 0, here: rate,
      lines: [{ slope: -pace(), from: 0, to }], tangent: "what was promised", reached: `${run.variables[run.z].name} = ${digits(z, 5)}`,
    };
  }

  // What each parameter adds to the promised fall.
  function partsOf(moving) {
    const path = places.map(({ z }) => digits(z, 4)), short = path.length > 6 ? [path[0], "…", ...path.slice(-4)] : path;
    return {
      title: moving && path.length > 1 ? [run.variables[run.z].name, ": ", short.join(" → ")] : ["all parameters"],
      table: sharesTable(run, norms().map((square, k) => ({ leaf: network.leaves[k], square }))), buttons: [],
      said: say`The share is what a parameter adds to the promised fall.`,
    };
  }

  function checksOf() {
    const rows = checked().map(({ leaf, entry, slope, ratio, agrees }) => [
      told.entryName(leaf, entry), digits(ratio, 4), digits(slope, 4), agrees ? "✓ agree" : "differ",
    ]);
    return {
      title: ["nudges, and the backward pass"], table: tableOf(["entry", "rise ÷ nudge", "derivative", ""], rows), buttons: [],
      said: say`Nudging all entries would take ${(told.total + 1).toLocaleString("en")} runs. The chain rule took one forward pass and one
        backward pass.`,
    };
  }

  return { title: "Use", about: "Take a step downhill on all entries.", steps, frame };
}

const finite = number => (Number.isFinite(number) ? number : 0);

// 10, 5, 2, 1, 0.5, …
function smaller(size) {
  const unit = tenTo(Math.floor(Math.log10(size) + 1e-9)), lead = Math.round(size / unit);
  return tidy(lead === 1 ? unit / 2 : lead === 2 ? unit : lead === 5 ? 2 * unit : unit);
}
