// Act 2: nudge an input, and see what arrives at z. The steps are made from the graph; the slider is free in all of them.

import { button, html } from "../dom.js";
import { Place, isChange, isNoise, tidy } from "../nudging/nudging.js";
import { effects, effectsAlong, leadingPaths } from "../nudging/paths.js";
import { changedText, digits, inNumbers, say, signed, withSign, wordsOf } from "../say.js";
import { changeTexts } from "../numbers.js";
import { actWithout, stillFrame } from "./act.js";
import { notLiveText, nudgeSentences } from "./nudge_sentences.js";
import { nudgeSteps } from "./nudge_steps.js";

/** @param {Run} shown */
export function nudgeAct(shown, player) {
  const run = inNumbers(shown);
  if (!run.live) return actWithout(shown, "nudge", notLiveText(shown));
  const start = new Place(run, run.live.start), told = nudgeSentences(run, start), steps = nudgeSteps(run, start, told);
  const ways = new Map(), waysOf = v => ways.get(v) ?? ways.set(v, leadingPaths(run, start.partials, v)).get(v);
  const chooser = run.picker?.(choose) ?? inputButtons(run, choose);
  let at = -1, k = 0, h = 0; // the step; the input that is nudged, and by how much
  const asked = () => (steps[at].question?.open && steps[at].k === k ? steps[at].question : null);

  function enterStep(i) {
    at = i;
    ({ k, h } = steps[i]);
  }

  // Who leaves the guided way is told what they see there.
  function choose(input) {
    k = input;
    if (k !== steps[at].k || !asked())
      h = h === 0 || Math.abs(h) > start.span(k) ? start.usual(k) : tidy((Math.sign(h) * start.span(k)) / 10);
    if (asked()) h = 0;
    player.refresh();
  }

  function move(amount) {
    h = amount;
    player.refresh();
  }

  const turn = tenths => move(tidy(Math.max(-start.span(k), Math.min(start.span(k), h + tenths * start.usual(k)))));

  function frame(i) {
    if (i !== at) enterStep(i);
    const step = steps[at], question = asked(), form = question ?? (k === step.k && step.question?.said ? step.question : null);
    const guided = k === step.k, only = guided ? step.only : undefined;
    const v = run.live.inputs[k], now = start.nudged(k, h), way = waysOf(v);
    const path = only === undefined ? undefined : way.paths[only];
    return {
      ...stillFrame(shown, "nudge", i, run.owner(v)),
      said: guided ? step.say() : told.chosen(k, way),
      pick: chooser.pick,
      keys: { ...nudgeKeys(turn, move), ...chooser.keys },
      ...run.shown(nudgedGraph(run, start, now, v, h, path)),
      strip: nudgeStrip(start, told, { chooser: chooser.row(k, now), grid: chooser.grid, k, h, question, move, turn }),
      plot: nudgePlot(run, start, k, h, question),
      paths: form ? null : { place: start, v, h, ...way, path, slope: start.slopes[k] },
      question: form && { ...form, show: reveal },
      aside: question ? [] : [form || !guided || step.paths ? "ratios" : "paths"],
      ratios: { place: start, k, h, question, note: told.ratioNote(k, at === 0 ? player.guess : undefined) },
    };

    // Show what the question asks for; `said` is the verdict on a right answer.
    function reveal(said = null) {
      Object.assign(step.question, { open: false, said });
      move(step.question.amount);
    }
  }

  return {
    title: "Nudge", about: `Change an ${run.noun}. See what arrives at ${run.variables[run.z].name}.`, steps, frame,
  };
}
// The keys of an act that nudges.
export function nudgeKeys(turn, move) {
  const keys = { ArrowUp: () => turn(1), ArrowDown: () => turn(-1), 0: () => move(0) };
  return keys;
}

const MOST_FACTORS = 30; // arrows; in a larger graph only those that carry the nudge have a factor

// Return what the graph shows of a nudge: new values, changes, factors on the arrows.
function nudgedGraph(run, place, now, v, h, path) {
  const values = new Map(), factors = new Map();
  const { carried, arrived } = path ? { carried: effectsAlong(place.partials, path, h) } : effects(run, place.partials, v, h);
  run.variables.forEach((variable, x) => {
    const before = place.values[x], change = now[x] - before;
    if (!isChange(before, now[x])) return;
    const told = Number.isFinite(change) && !isNoise(now[x], [before]) ? changeTexts(before, now[x]) : null;
    const texts = told && told.was !== told.now ? told : null, seen = texts?.exact ? withSign(texts.change) : signed(change, 3);
    const along = path && x === run.z ? `${signed(carried.get(path.at(-1)), 3)} this way` : seen;
    values.set(x, {
      text: texts?.now ?? (isNoise(now[x], [before]) ? "0" : changedText(now[x], before)), number: now[x], was: variable.text, before,
      moved: true, texts, change: Number.isFinite(change) ? along : "",
    });
  });
  place.partials.forEach((partial, e) => {
    const carries = h !== 0 && carried.has(e) && (path || arrived[run.edges[e].input] !== 0);
    if (carries || place.partials.length <= MOST_FACTORS)
      factors.set(e, {
        number: partial,
        carries: carries ? `= ${signed(carried.get(e), 3)}` : null,
        why: () => whyFactor(run, e, partial),
      });
  });
  const lit = new Set([...factors].filter(([, factor]) => factor.carries).map(([e]) => e));
  return { values, factors, carrying: lit, nudged: v };
}

// Say why a factor is what it is.
function whyFactor(run, e, partial) {
  const { input, output, ratio, partial: place } = run.edges[e], { symbol } = run.quantities[place] ?? {}, { name } = wordsOf(run);
  return say`From ${name(input)} to ${name(output)}: times ${digits(partial)}, because ${run.formula(ratio)} =
    ${symbol === null || symbol === undefined ? "" : [run.formula(symbol), " = "]}${digits(partial)}.`;
}

// Return {row(k), keys, pick(variable)}: a button for each input, of which row(k) marks the one that is nudged, and other ways to choose.
function inputButtons(run, choose) {
  const buttons = run.live.inputs.map((v, k) => {
    const { name, written } = run.variables[v];
    return button(() => choose(k), { title: k < 9 ? `key ${k + 1}` : null, "aria-label": name }, run.formula(written));
  });
  const row = [html("span", {}, "nudge"), ...buttons];
  return {
    row(chosen) {
      buttons.forEach((each, k) => each.setAttribute("aria-pressed", k === chosen));
      return row;
    },
    keys: Object.fromEntries(run.live.inputs.slice(0, 9).map((_, k) => [k + 1, () => choose(k)])),
    pick: v => run.live.inputs.includes(v) && choose(run.live.inputs.indexOf(v)),
  };
}

function nudgeStrip(place, told, { chooser, grid, k, h, question, move, turn }) {
  const span = place.span(k);
  return {
    chooser, grid, turn, set: amount => move(tidy(amount)), label: "nudge", value: h, least: -span, most: span, step: span / 100,
    text: h ? signed(h, 6) : "0", readout: question ? say`Do not move it yet. First say what you expect.` : told.readout(k, h),
  };
}

function nudgePlot(run, place, k, h, question) {
  const v = run.live.inputs[k], at = place.x[k], span = place.span(k), { name } = wordsOf(run);
  if (!Number.isFinite(at)) return null;
  const reach = Math.max(span, Math.abs(h) * 1.1);
  const lines = place.tangents(k).map(([slope, from, to]) => ({ slope, from: at + from * reach, to: at + to * reach }));
  const slopes = [...new Set(lines.map(({ slope }) => digits(slope)))].join(" and ");
  return {
    title: [name(run.z), " against ", name(v)],
    note: run.live.inputs.length > 1 ? `the other ${run.nouns} stand still` : "",
    compares: run.compares,
    key: `nudge ${k} ${reach}`,
    f: x => place.nudged(k, x - at)[run.z],
    from: at - reach,
    to: at + reach,
    at,
    here: at + h,
    lines,
    tangent: !lines.length ? null : question ? "tangent" : lines.length > 1 ? `slopes ${slopes}` : `tangent, slope ${slopes}`,
    reached: [name(run.z), ` = ${digits(place.nudged(k, h)[run.z])}`],
  };
}
