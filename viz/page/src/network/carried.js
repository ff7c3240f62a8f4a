// Acts 2 and 4 for a network that the page cannot compute: they show what Python has computed, and say so.

import { stillFrame } from "../acts/act.js";
import { nudgeKeys } from "../acts/nudge.js";
import { html } from "../dom.js";
import { tidy } from "../nudging/nudging.js";
import { digits, signed, wordsOf } from "../say.js";
import { boxesOfLast } from "./backward.js";
import { carriedWords } from "./carried_words.js";
import { leafButton } from "./nudge.js";
import { sharesTable } from "./shares.js";
import { nameOfEntry } from "./words.js";

const REACH = 10; // parts of a span

/** @param {Run} run */
export function carriedNudge(run, player) {
  const { carried } = run.network, leaves = Object.keys(carried).map(Number), told = carriedWords(run), { name } = wordsOf(run);
  const steepest = [...leaves].sort((a, b) => Math.abs(carried[b].slope) - Math.abs(carried[a].slope))[0];
  const withCurve = leaves.filter(leaf => carried[leaf].curve), first = withCurve[0] ?? steepest;
  const steps = [
    { name: "one entry", leaf: first, say: leaf => told.first(leaf, carried[leaf]) },
    { name: "every layer", leaf: first, say: () => told.layers() },
    { name: "steepest", leaf: steepest, say: leaf => told.steepest(leaf, carried[leaf]) },
    { name: "and so?", leaf: first, say: () => told.last() },
  ];
  let at = -1, leaf = first, h = 0, guided = true;
  const span = () => carried[leaf].curve?.at(-1)[0] ?? (Math.abs(carried[leaf].value ?? 0) || 1), usual = () => tidy(span() / 2);

  function choose(other) {
    if (!(other in carried)) return;
    [leaf, guided] = [other, false];
    h = usual();
    player.refresh();
  }

  function move(amount) {
    h = Math.max(-span(), Math.min(span(), amount));
    player.refresh();
  }

  const turn = tenths => move(tidy(h + (tenths * span()) / REACH));

  // z as a function of the nudge, between the points that Python has computed; null where it has computed none.
  function curveOf() {
    const points = carried[leaf].curve?.filter(([, z]) => z !== null);
    if (!points?.length) return null;
    return by => {
      const k = Math.max(0, Math.min(points.length - 2, points.findLastIndex(([x]) => x <= by))), [[a, za], [b, zb]] = [points[k],
        points[k + 1]];
      return za + ((zb - za) * (by - a)) / (b - a);
    };
  }

  const entryName = () => {
    const { shape, written } = run.variables[leaf];
    return nameOfEntry(run.formula(written), carried[leaf].entry, shape);
  };

  function chooser() {
    const shown = [...new Set([leaf, ...withCurve, steepest])].slice(0, 8).sort((a, b) => a - b);
    return [html("span", {}, "an entry of"), ...shown.map(v => leafButton(run, v, v === leaf, choose))];
  }

  function frame(i) {
    if (i !== at) {
      [at, guided, leaf] = [i, true, steps[i].leaf];
      h = leaf === undefined ? 0 : usual();
    }
    const known = carried[leaf], f = known && curveOf(), z = run.network.z ?? NaN;
    return {
      ...stillFrame(run, "nudge", i, run.z),
      said: known ? (guided ? steps[i].say(leaf) : told.first(leaf, known)) : told.nothing(),
      keys: known ? nudgeKeys(turn, move) : {},
      layers: {
        ...boxesOfLast(run), looked: [leaf, run.z].filter(v => v !== undefined), pick: box => choose(box.holds.find(v => v in carried)),
        pickLeaf: choose, leafState: v => (v === leaf ? { state: "chosen", tag: h ? signed(h, 3) : "" } : {}),
      },
      strip: known && {
        chooser: chooser(), turn, set: amount => move(tidy(amount)), label: "nudge", value: h, least: -span(), most: span(),
          step: span() / 100,
        text: h ? signed(h, 6) : "0", readout: told.readout(entryName(), h, known.slope, f ? f(h) - z : null),
      },
      plot: known && Number.isFinite(z) ? plotOf(known, f, z) : null,
      slopes: known && {
        title: ["all parameters"], table: sharesTable(run, leaves.map(v => ({ leaf: v, square: carried[v].square }))), buttons: [],
        said: told.shares(),
      },
    };
  }

  function plotOf({ value, slope }, f, z) {
    const x = value ?? 0, reach = span(), tangent = by => z + slope * by;
    return {
      title: [name(run.z), " against ", ...entryName()], note: f ? "computed in Python, joined by lines" : "only the tangent is known",
      key: `carried ${leaf} ${reach}`, f: to => (f ?? tangent)(to - x), from: x - reach, to: x + reach, at: x, here: x + h,
      lines: [{ slope, from: x - reach, to: x + reach }], tangent: `tangent, slope ${digits(slope, 4)}`, tangentOnly: !f,
      reached: `${run.variables[run.z].name} ${f ? "=" : "≈"} ${digits((f ?? tangent)(h), 5)}`,
    };
  }

  return { title: "Nudge", about: `Change one entry. See what arrives at ${run.variables[run.z].name}.`, steps, frame };
}

/** @param {Run} run */
export function carriedUse(run, player) {
  const { carried, z: value } = run.network, leaves = Object.keys(carried).map(Number), told = carriedWords(run), { name } = wordsOf(run);
  const pace = leaves.reduce((sum, leaf) => sum + carried[leaf].square, 0), z = value ?? NaN, canMove = Number.isFinite(z) && pace > 0;
  const most = canMove ? Number((Math.abs(z || 1) / pace).toPrecision(1)) : 1;
  const steps = [{ name: "the answer", say: () => told.answers() }, { name: "one step", say: () => told.step() }, { name: "what now?",
    say: () => told.end() }];
  let rate = most / 10;

  function change(amount) {
    rate = Math.max(0, Math.min(most, tidy(amount)));
    player.refresh();
  }

  const turn = many => change(rate + (many * most) / 20);

  return {
    title: "Use", about: "Take a step downhill on all entries.", steps,
    frame(i) {
      const moves = canMove && i === 1;
      return {
        ...stillFrame(run, "use", i, run.z),
        said: canMove ? steps[i].say() : told.flat(), keys: moves ? { ArrowUp: () => turn(1), ArrowDown: () => turn(-1) } : {},
        layers: { ...boxesOfLast(run), looked: [run.z], pick() {}, pickLeaf() {} },
        strip: moves ? {
          chooser: [html("span", {}, "learning rate")], turn, set: change, label: "learning rate", value: rate, least: 0, most,
            step: most / 100,
          text: digits(rate, 4), readout: told.promise(rate, z, z - rate * pace),
        } : null,
        plot: canMove ? {
          title: [name(run.z), " against the learning rate"], note: "what is promised, near 0", key: "carried use", f: r => z - r * pace,
            from: 0,
          to: most, at: 0, here: moves ? rate : 0, lines: [{ slope: -pace, from: 0, to: most }], tangent: "what is promised",
            tangentOnly: true,
          reached: `${run.variables[run.z].name} ≈ ${digits(z - (moves ? rate : 0) * pace, 5)}`,
        } : null,
        slopes: {
          title: ["all parameters"], table: sharesTable(run, leaves.map(leaf => ({ leaf, square: carried[leaf].square }))), buttons: [],
          said: told.shares(),
        },
      };
    },
  };
}
