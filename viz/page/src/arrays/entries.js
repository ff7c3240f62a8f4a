// A graph of arrays in single numbers: the run of its entries, and what the graph of the arrays shows when entries change.

import { html } from "../dom.js";
import { Run } from "../run.js";
import { digits, inWords, say } from "../say.js";
import { opener } from "../start_values.js";
import { entryPicker } from "./picker.js";
import { SHADES } from "./picture.js";

/** @param {Run} arrays */
export function runOfEntries(arrays) {
  const { places } = arrays.entryGraph, run = new Run({ ...arrays.entryGraph, steps: [], questions: [], insertions: [] }), owners = [];
  const start = run.live.values(run.live.start);
  const held = places.map(rows => new Set(rows.flat().filter(place => place !== null)));
  held.forEach((entries, v) => entries.forEach(place => (owners[place] ??= v))); // an entry that is only moved belongs to the first array
  // The edges between entries that lie on each edge between arrays, and the entries that both arrays hold.
  const within = arrays.edges.map(({ input, output }) =>
    run.edges.flatMap((edge, e) => (held[input].has(edge.input) && held[output].has(edge.output) ? [e] : [])),
  );
  const both = arrays.edges.map(({ input, output }) => [...held[input]].filter(place => held[output].has(place)));

  // The entry that the question is about: one of the array that it is about, and one with an effect if there is any.
  const entries = run.live.inputs.flatMap((place, k) => (owners[place] === arrays.asked ? [{ place, effect: run.gradient[k] }] : []));
  const asked = (entries.find(({ effect }) => effect) ?? entries[0])?.place;

  // The edges between arrays over which edges between entries carry something.
  function carryingArrays(carrying) {
    const touched = new Set([...carrying].flatMap(e => [run.edges[e].input, run.edges[e].output]));
    return new Set(
      arrays.edges.flatMap((_, e) => within[e].some(inner => carrying.has(inner)) || both[e].some(place => touched.has(place)) ? [e] : [],
      ),
    );
  }

  // What an arrow between arrays shows of a nudge: the factor of the one entry that passes it, or of each; else how many factors there are.
  function factorOf(e, factors) {
    const carry = within[e].filter(inside => factors.get(inside)?.carries), work = carry.filter(inside => factors.get(inside).number !== 0);
    const inner = work.length ? work : carry.slice(0, 1), [first] = inner.map(inside => factors.get(inside));
    if (inner.length < 2) return first;
    const each = inner.every(inside => factors.get(inside).number === first.number);
    const text = each ? `each × ${digits(first.number, 4)}` : `${inner.length} factors`;
    return {
      text,
      carries: "",
      why: () =>
        say`${inner
          .slice(0, MOST_TOLD)
          .map((inside, k) => [k ? html("br") : "", factors.get(inside).why()])
          .flat()}${inner.length > MOST_TOLD ? say` And ${inWords(inner.length - MOST_TOLD)} more.` : ""}`,
    };
  }

  function factorsOf(factors) {
    const found = new Map(arrays.edges.map((_, e) => /** @type {const} */ ([e, factors && factorOf(e, factors)])));
    return new Map([...found].filter(([, factor]) => factor));
  }

  // Return "the entry of B in row 1, column 2"; of an entry that is named as in the program, bias[0], its index as Python counts.
  function whereIs(place) {
    const v = owners[place], { shape } = arrays.variables[v], name = arrays.formula(arrays.variables[v].written);
    let at = places[v].flat().indexOf(place);
    const indices = shape.toReversed().map(n => [at % n + 1, (at = Math.floor(at / n))][0]).reverse();
    if (!shape.length) return name;
    return run.variables[place].name.endsWith("]")
      ? say`the entry of ${name} at index ${indices.map(i => i - 1).join(", ")}`
      : say`the entry of ${name} in row ${indices[0]}, column ${indices[1]}`;
  }

  // Return the array from which the drawn arrow of an edge comes, where it is not the one that has the edge's input first.
  function via(e) {
    const from = arrays.edges.filter((_, k) => within[k].includes(e)).map(({ input }) => input);
    return !from.length || from.includes(owners[run.edges[e].input]) ? null : arrays.formula(arrays.variables[from[0]].written);
  }

  // What the box of an array shows: its entries as they are now, and below them as they were, or the gradient at another place.
  function box(v, values, nudged) {
    const variable = arrays.variables[v], changed = places[v].flat().filter(place => values.get(place)?.moved).length;
    const holds = held[v].has(nudged);
    if (!variable.cells) return picture(v, values, nudged, changed);
    const read = (of, or) => places[v].map((row, i) => row.map((place, j) => of(values.get(place), place) ?? or[i]?.[j] ?? or[j]));
    const data = read(entry => entry?.number, variable.data);
    const totals = isKnown(values.get(places[v].flat().find(place => place !== null))?.total);
    const array = {
      cells: read(entry => (entry?.moved ? entry.text : entry && digits(entry.number, 4)), variable.cells), data,
      marks: read((entry, place) => `${entry?.moved ? "moved" : ""}${place === nudged ? " chosen" : ""}`, [[]]),
    };
    const below = totals
      ? { cells: read(entry => entry?.total ?? "0", [[]]), data: read(entry => Number((entry?.total ?? "0").replace("−", "-")), [[]]) }
      : changed && nudged !== undefined
        ? { cells: variable.cells, data: variable.data, label: "was" }
        : undefined;
    return { array, below, moved: changed > 0, change: holds && owners[nudged] === v ? values.get(nudged)?.change ?? "" : "" };
  }

  // The same for an array that is shown as a picture. One that does not show each entry stays as it is.
  function picture(v, values, nudged, changed) {
    const flat = places[v].flat(), { picture: like } = arrays.variables[v];
    const numbers = of => flat.map(place => of(values.get(place)) ?? start[place]);
    const many = `${changed} ${changed === 1 ? "entry" : "entries"}`;
    const tag = nudged === undefined || !changed ? "" : owners[nudged] === v ? values.get(nudged).change : many;
    const below = tag ? changesIn(flat, values) : undefined;
    if (!like || like.note || held[v].size < flat.length) return { below, moved: changed > 0, change: tag };
    const totals = isKnown(values.get(flat[0])?.total) && {
      picture: pictureOf(flat.map(place => Number(values.get(place).total.replace("−", "-"))), like),
    };
    const rings = tag && changed <= MOST_RINGS ? flat.flatMap((place, k) => (values.get(place)?.moved ? [k] : [])) : [];
    const array = changed ? { picture: { ...pictureOf(numbers(entry => entry?.number), like), rings } } : null;
    return { array, below: totals || below, moved: changed > 0, change: tag };
  }

  // Return what stands in place of the gradient: how many entries have changed, and from what to what.
  function changesIn(flat, values) {
    const moved = flat.map(place => values.get(place)).filter(entry => entry?.moved);
    return { label: `${moved.length} changed`, lines: moved.map(({ before, text }) => [`${digits(before, 4)} → ${text}`, `→ ${text}`]) };
  }

  return Object.assign(run, {
    whereIs, via,
    noun: "entry", nouns: "entries", asked,
    owner: place => owners[place],
    picker: choose => entryPicker(arrays, run, choose),
    shown({ values, carrying, factors, nudged, totals, ...others }) {
      const boxes = new Map(
        arrays.variables.map(({ shape }, v) => [v, shape.length ? box(v, values, nudged) : values.get(places[v][0][0])]),
      );
      return {
        ...others, values: new Map([...boxes].filter(([, shown]) => shown)), factors: factorsOf(factors), arrows: new Map(),
        carrying: carryingArrays(carrying ?? new Set()),
        ...(totals ? { totals: arrays.totals(arrays.steps.length - 1) } : { nudged: owners[nudged] }),
      };
    },
  });
}

const MOST_TOLD = 4; // entries whose factors the tooltip of an arrow names
const MOST_RINGS = 9; // entries with a ring, since many rings hide the picture

const isKnown = text => text !== null && text !== undefined;

// Return a picture of other numbers, on a scale of their own; viz/array_picture.py computes the first one in the same way.
function pictureOf(numbers, like) {
  const known = numbers.filter(Number.isFinite), low = Math.min(...known), high = Math.max(...known);
  const largest = Math.max(Math.abs(low), Math.abs(high)) || 1, size = like.cells[0].length;
  const letter = number => (Number.isFinite(number) ? (Math.round((SHADES * number) / largest) + SHADES).toString(36) : ".");
  const of = list => list.map(letter).join("");
  return {
    ...like, cells: like.cells.map((_, k) => of(numbers.slice(k * size, (k + 1) * size))),
    bar: of([...like.bar].map((_, k) => low + ((high - low) * k) / (like.bar.length - 1))),
    labels: low === high ? [`all ${digits(low, 2)}`] : [digits(low, 2), digits(high, 2)],
    zero: low < 0 && high > 0 ? -low / (high - low) : undefined,
  };
}

// The button and the dialog that say how to play a graph of other arrays.
export function otherArrays() {
  const form = html("form", { method: "dialog" },
    html("h2", {}, "Start with other numbers"),
    html("p", {}, "The steps on this page are written for these arrays. To start with others, change them in Python and call play again."),
    html("p", {}, "Here you can nudge one entry as far as you like: type the nudge into the field beside the slider."),
    html("button", {}, "close"));
  const dialog = html("dialog", { id: "start-dialog", "aria-label": "starting values" }, form);
  return { button: opener(dialog), dialog };
}
