// Act 2 for a network: nudge one entry of one parameter. All layers show what changes.

import { stillFrame } from "../acts/act.js";
import { nudgeKeys } from "../acts/nudge.js";
import { button, html } from "../dom.js";
import { isChange, tidy } from "../nudging/nudging.js";
import { hintsOf, questionForm } from "../panels/question_form.js";
import { digits, signed, wordsOf } from "../say.js";
import { arrayHalf, boxOfChange } from "./layers_panel.js";
import { changes } from "./network.js";
import { entryPicker } from "./picker.js";
import { networkQuestion } from "./question.js";
import { networkWords } from "./words.js";

const MOST_FOLLOWED = 5; // boxes that a nudge reaches and that stay in the row
const FEW = 7; // parameters that have room for a button each
const CHECKING = 1e-4; // of the span: the nudge that measures a slope

/** @param {Run} run */
export function networkNudge(run, network, player) {
  const { start: place } = network, told = networkWords(run), steps = nudgeSteps(run, network, told), { name } = wordsOf(run);
  const flat = flatBoxes(run.network.boxes), boxOf = leaf => flat.find(({ holds }) => holds.includes(leaf));
  const picker = entryPicker("entries", chooseEntry), slopes = entryPicker("slopes", chooseEntry);
  const sized = new Map(); // the largest number of each array at the start
  let at = -1, leaf = 0, entry = 0, h = 0, guided = true;

  function enterStep(i) {
    at = i;
    guided = true;
    ({ leaf, entry, h } = steps[i]);
  }

  // The question of this step, while its entry is chosen.
  const asked = () => (steps[at].leaf === leaf && steps[at].entry === entry ? steps[at].question ?? null : null);

  // Show what the question asks for; `verdict` is that on a right answer.
  function reveal(question, verdict = null) {
    Object.assign(question, { open: false, said: verdict });
    move(question.amount);
  }

  function choose(other, index) {
    guided = false;
    const share = h / place.span(leaf, entry) || 0.5;
    [leaf, entry] = [other, index];
    h = tidy(share * place.span(leaf, entry));
    player.refresh();
  }

  function chooseEntry(index) {
    choose(leaf, index);
  }

  const chooseLeaf = other => choose(other, place.steepest([other])[1]);

  function move(amount) {
    h = amount;
    player.refresh();
  }

  const turn = tenths => {
    const span = place.span(leaf, entry);
    move(tidy(Math.max(-span, Math.min(span, h + (tenths * span) / 10))));
  };

  // The boxes that the nudge reaches: those of the row's own level.
  const reachedBoxes = now => flat
    .filter(({ shows }) => place.arrays[shows] !== now[shows] && shows !== run.z)
    .map(box => ({ box, count: changes(place.arrays[box.shows], now[box.shows]), of: now[box.shows].length }))
    .filter(({ count }) => count > 0);

  const largest = v => sized.get(v) ?? sized.set(v, place.arrays[v].reduce((most, x) => Math.max(most, Math.abs(x) || 0), 0)).get(v);

  function layersOf(now, reached) {
    const carries = v => place.arrays[v] !== now[v] && place.arrays[v].some((x, k) => isChange(x, now[v][k]));
    return {
      looked: [leaf, ...reached.slice(0, MOST_FOLLOWED).map(({ box }) => box.shows), run.z],
      carries,
      box(v) {
        const { shape } = run.variables[v], before = place.arrays[v], moved = changes(before, now[v]);
        return boxOfChange(before, now[v], shape, moved, { largest: largest(v), still: { label: "no change" } });
      },
      leaf(v) {
        const { shape } = run.variables[v], chosen = v === leaf;
        return {
          state: chosen ? "chosen" : "", tag: chosen && h ? signed(h, 3) : "",
          upper: arrayHalf(now[v], shape, { largest: largest(v), rings: chosen ? [entry] : [], digitsOf: x => digits(x, 3) }), lower: null,
        };
      },
      pick(box) {
        const leaves = box.holds.filter(v => network.leaves.includes(v)), later = flat.slice(flat.indexOf(box));
        const next = leaves[0] ?? later.flatMap(({ holds }) => holds).find(v => network.leaves.includes(v));
        if (next !== undefined) chooseLeaf(next);
      },
      pickLeaf(v, cell) {
        if (cell < 0) chooseLeaf(v);
        else choose(v, network.entryAt(v, cell));
      },
    };
  }

  // A button for each parameter, or for those of the layer, with two that lead to other layers.
  function chooser() {
    const few = network.leaves.length <= FEW, own = few ? network.leaves : boxOf(leaf).holds.filter(v => network.leaves.includes(v));
    const beside = distance => {
      const with_ = flat.filter(({ holds }) => holds.some(v => network.leaves.includes(v))), k = with_.indexOf(boxOf(leaf)) + distance;
      const other = with_[(k + with_.length) % with_.length];
      chooseLeaf(other.holds.find(v => network.leaves.includes(v)));
    };
    return [
      html("span", {}, "nudge"), ...(few ? [] : [button(() => beside(-1), { title: "the layer before" }, "◂ layer")]),
      ...own.map(v => leafButton(run, v, v === leaf, chooseLeaf)),
      ...(few ? [] : [button(() => beside(1), { title: "the next layer" }, "layer ▸")]),
    ];
  }

  function frame(i) {
    if (i !== at) enterStep(i);
    const now = place.nudged(leaf, entry, h), span = place.span(leaf, entry), found = reachedBoxes(now), { shape } = run.variables[leaf];
    const comparison = place.compare(leaf, entry, h), rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const array = now[leaf], wide = innerWidth > 41 * rem;
    picker.show({ key: leaf, label: "entries", array, shape, entry, room: { width: (wide ? 16.5 : 20) * rem, height: 5.6 * rem } });
    const said = guided ? steps[i].say({ leaf, entry, h, found, comparison }) : found.length || now !== place.arrays ? told.chosen(leaf,
      entry, found) : told.still();
    return {
      ...stillFrame(run, "nudge", i, run.z),
      said,
      keys: nudgeKeys(turn, move),
      layers: layersOf(now, found),
      strip: {
        chooser: chooser(), grid: picker.element, turn, set: amount => move(tidy(amount)), label: "nudge", value: h, least: -span,
          most: span,
        step: span / 100, text: h ? signed(h, 6) : "0", readout: told.readout(leaf, entry, h, comparison, now[run.z][0]),
      },
      plot: plotOf(comparison.slope, now),
      slopes: slopesOf(comparison.slope, shape, rem),
    };
  }

  function plotOf(slope, now) {
    const x = place.arrays[leaf][entry], reach = Math.max(place.span(leaf, entry), Math.abs(h) * 1.1), f = place.curve(leaf, entry, reach);
    return {
      title: [name(run.z), " against ", told.entryName(leaf, entry)],
        note: `the other ${(told.total - 1).toLocaleString("en")} stand still`,
      key: `network ${leaf} ${entry} ${reach}`, f: at_ => f(at_ - x), from: x - reach, to: x + reach, at: x, here: x + h,
      lines: Number.isFinite(slope) ? [{ slope, from: x - reach, to: x + reach }] : [],
      tangent: Number.isFinite(slope) ? `tangent, slope ${digits(slope, 4)}` : null,
      reached: `${run.variables[run.z].name} = ${digits(now[run.z][0])}`,
    };
  }

  function slopesOf(slope, shape, rem) {
    const question = asked();
    if (question?.open) {
      question.form ??= questionForm(question, verdict => reveal(question, verdict)); // the same, so that what is typed stays
      question.shownHints ??= hintsOf(question);
      return { title: ["Predict"], form: [question.form, ...question.shownHints], buttons: [], said: "" };
    }
    const by = CHECKING * place.span(leaf, entry), measured = (place.zAfter(leaf, entry, by) - place.zAfter(leaf, entry, -by)) / (2 * by);
    const gradient = place.gradient(leaf), [steepLeaf, steepEntry] = place.steepest();
    return {
      title: [`all ${gradient.length.toLocaleString("en")} slopes of `, run.formula(run.variables[leaf].written), gradient.length > 1
        ? " at once" : ""],
      picker: slopes, show: room => slopes.show({ key: leaf, label: "slopes", array: gradient, shape, entry, room }), rem,
      said: told.slopes(slope, measured),
      buttons: [
        ["steepest entry", () => choose(steepLeaf, steepEntry)], ["steepest here", () => chooseLeaf(leaf)],
        ["any entry", () => {
          const any = network.leaves[Math.floor(Math.random() * network.leaves.length)];
          choose(any, Math.floor(Math.random() * place.arrays[any].length));
        }],
      ],
    };
  }

  return { title: "Nudge", about: `Change one entry. See what arrives at ${run.variables[run.z].name}.`, steps, frame };
}

// The button of a parameter in the strip.
/** @param {Run} run */
export const leafButton = (run, v, pressed, choose) =>
  button(() => choose(v), { title: run.variables[v].name, "aria-pressed": pressed }, run.formula(run.variables[v].written));

const flatBoxes = boxes => boxes.flatMap(box => (box.boxes ? flatBoxes(box.boxes) : [box]));

// The guided steps: [{name, leaf, entry, h, say(what is seen), question}].
/** @returns {{ name: string, leaf: number, entry: number, h: number, say: (seen: any) => any, question?: any }[]} */
function nudgeSteps(run, network, told) {
  const { start: place, leaves } = network, flat = flatBoxes(run.network.boxes),
    boxOf = leaf => flat.findIndex(({ holds }) => holds.includes(leaf));
  const [first, ...others] = [...leaves].sort((a, b) => boxOf(a) - boxOf(b)), asked = place.steepest([first])[1],
    usual = place.usual(first, asked);
  const last = others.findLast(leaf => boxOf(leaf) > boxOf(first) && place.arrays[leaf].length > 1) ?? others.at(-1);
  const step = (name, say, more = {}) => ({ name, leaf: first, entry: asked, h: usual, say, ...more });
  const small = tidy(usual / 10), end = last === undefined ? null : place.steepest([last])[1], unseen = last ?? first;
  const question = networkQuestion(run, place, told, { leaf: unseen, entry: end ?? asked, h: -place.usual(unseen, end ?? asked) });
  return [
    step("one entry", ({ leaf, found }) => told.first(leaf, found)),
    step("what changes", ({ found }) => told.layers(found)),
    ...(last === undefined ? [] : [step("another layer", ({ leaf, found }) => told.later(leaf, found, boxOf(last)), { leaf: last,
      entry: end, h: place.usual(last, end) })]),
    step("smaller", ({ comparison: { slope, rise } }) => told.smaller(slope, rise / small), { h: small }),
    step("all at once", ({ leaf }) => told.all(leaf)),
    ...(question ? [step("predict", () => told.predict(question, place.slope(question.leaf, question.entry)),
      { leaf: question.leaf, entry: question.entry, h: 0, question })] : []),
    step("your turn", () => told.yourTurn()),
    step("and so?", () => told.last()),
  ];
}
