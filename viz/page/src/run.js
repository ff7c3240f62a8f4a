// One trace, and what the panels show at each of its steps. Knows nothing of the page's elements.

import { asArray } from "./arrays/all_numbers.js";
import { appendText, flat, linesOf, math } from "./dom.js";
import { waysIn } from "./nudging/paths.js";
import { programs } from "./programs.js";
import { fill } from "./replay.js";

const LONG = 24; // characters; a line may break within a longer formula of a sentence

export class Run {
  /** @param {Partial<PageData>} data */
  constructor(data) {
    Object.assign(this, data);
    this.endMark = this.notFinite ? "!" : "✓";
    this.data = data;
    /** @type {any} */
    const program = programs[this.program]; // at other numbers; if there is none, notLive says why. Passes of a loop share one
    this.live = this.program === undefined ? null : { ...(this.constants ? program(this.constants) : program) };
    if (this.start) this.live.start = this.start;
    this.pieces = [];
    this.edgesFrom = this.variables.map(() => []);
    this.edgesInto = this.variables.map(() => []);
    this.edges.forEach((edge, e) => {
      this.edgesFrom[edge.input].push(e);
      this.edgesInto[edge.output].push(e);
    });
    this.stepsAt = this.edges.map(() => []); // the steps at each edge
    this.steps.forEach((step, i) => step.edge !== undefined && this.stepsAt[step.edge].push(i));
    this.parts = this.grouped();
    this.given = new Map(this.steps.flatMap(step => step.given ?? [])); // terms of steps that are not shown
    this.questionAt = new Map(this.questions.map(question => [question.step, question]));
    this.ofEntries = null; // of a graph of arrays: its graph in single numbers
  }

  // What is nudged, the variable of the graph to which it belongs, and what the graph shows of it: arrays/entries.js has others, and
  // says how an entry is chosen and where it is.
  noun = "input";
  nouns = "inputs";
  owner = v => v;
  shown = marks => marks;
  /** @type {(edge: number) => any} */
  via = () => null; // what stands between the ends of an edge in the drawing, if anything
  picker = null;
  whereIs = null;

  // Return a formula as a row of MathML. It is parsed only once; the engine has escaped the names in it.
  piece(place) {
    if (!this.pieces[place]) {
      const template = document.createElement("template");
      template.innerHTML = `<math>${this.strings[place]}</math>`;
      fill(template.content, this.numbers);
      this.pieces[place] = math("mrow", ...flat(template.content.firstChild));
    }
    return this.pieces[place].cloneNode(true);
  }

  // Return the place of words that stand where a formula may stand.
  words(text) {
    const written = `<mtext>${text}</mtext>`, place = this.strings.indexOf(written);
    return place < 0 ? this.strings.push(written) - 1 : place;
  }

  // Firefox stretches brackets only within a row.
  formula(place) {
    const found = math("math", this.piece(place));
    return this.arrays ? asArray(found) : found;
  }

  // Return the whole name of a variable: as text if formulas have a short form of it, else as a formula.
  whole(v) {
    return this.isCut(v) ? this.variables[v].name : this.formula(this.variables[v].written);
  }

  isCut(v) {
    return this.strings[this.variables[v].written].includes("data-whole");
  }

  // Return the formula in pieces, between which a line may break.
  lines(place) {
    const row = this.piece(place), lines = row.textContent.length < LONG ? [[...row.children]] : linesOf(row);
    const found = document.createDocumentFragment();
    found.append(...lines.map(line => math("math", math("mrow", ...line))).map(line => (this.arrays ? asArray(line) : line)));
    return found;
  }

  // Return a sentence: words, and formulas as $place$.
  sentence(text = "") {
    const found = document.createDocumentFragment();
    text.split("$").forEach((part, k) => (k % 2 ? found.append(this.lines(part)) : appendText(found, part)));
    return found;
  }

  // Return the parts of the run: before the loop, one for each iteration, the end.
  grouped() {
    const parts = [];
    this.steps.forEach((step, i) => {
      const last = parts.at(-1);
      if (last && last.iteration === step.iteration) last.to = i;
      else parts.push({ iteration: step.iteration, variable: this.scatters ? step.y : step.x, from: i, to: i });
    });
    return parts;
  }

  partOf(i) {
    return this.parts.findIndex(part => i <= part.to);
  }

  // Return the latest step at an edge, up to step i.
  latest(edge, i) {
    return this.stepsAt[edge].findLast(k => k <= i);
  }

  // Return {variable: {quantity, final}}: the total derivatives after step i.
  totals(i) {
    const step = this.steps[i], found = new Map(), received = new Map();
    for (const { variable, total } of this.insertions.slice(0, step.known)) {
      received.set(variable, (received.get(variable) ?? 0) + 1);
      found.set(variable, { quantity: total, final: !this.scatters || received.get(variable) >= this.edgesFrom[variable].length });
    }
    if (step.x !== undefined && step.total !== undefined && !found.has(step.x))
      found.set(step.x, { quantity: step.total, final: false, running: true });
    return found;
  }

  // Return {variable: contributions still missing} after step i, under dependency counting.
  counts(i) {
    const found = new Map();
    if (!this.keeps.includes("pending")) return found;
    for (let k = 0; k <= i; k++)
      for (const [variable, count] of Object.entries(this.steps[k].pending ?? {})) found.set(+variable, count);
    return found;
  }

  // Return the rows of the schedule's table after step i.
  rows(i) {
    const found = this.table?.rows.map(row => row.cells);
    for (let k = 0; found && k <= i; k++) for (const [row, cells] of this.steps[k].rows ?? []) found[row] = cells;
    return found;
  }

  // Return a queue ("ready", "ordering") or the place on the tape ("place") after step i.
  state(i, field) {
    if (!this.scatters) return undefined;
    for (let k = i; k >= 0; k--) if (this.steps[k][field] !== undefined) return this.steps[k][field];
    return undefined;
  }

  mostTerms = Infinity; // of a sum that are shown
  slide = 0; // on slides, the place of the one that is shown

  // The scenes of the slide that is shown, which has its own: for a wide window and for a narrow one.
  get scenesOfSlide() {
    return [this.scene, this.scene.onPhone].map(({ scenes, of }) => scenes[of[this.slide]]);
  }

  // Return one of the scenes `near`, joined with its layout, which several of them share.
  sceneAt(near, number) {
    const { scenes, layouts, boxes, numbers, look } = near;
    if (this.near?.of === near && this.near.number === number) return this.near;
    const { layout, variable, nodes, edges, folds } = scenes[number], places = layouts[layout], which = new Map(numbers);
    return (this.near = {
      ...places, of: near, number, variable, look,
      nodes: nodes.map((v, k) => ({ variable: v, ...places.nodes[k], ...boxes[v] })),
      edges: edges.map((e, k) => ({ edge: e, ...places.edges[k], number: which.get(e) ?? null })),
      folds: folds.map((fold, k) => ({ ...places.folds[k], ...fold })),
    });
  }

  // Return everything that the panels show of step i.
  frame(i) {
    const step = this.steps[i], looking = step.iteration > 0 && step.act !== "done";
    const [own, other] = this.scatters ? [step.y, step.x] : [step.x, step.y], current = looking ? own : undefined;
    const edges = current === undefined ? [] : this.scatters ? this.edgesInto[current] : this.edgesFrom[current];
    const atWork = new Set(step.path ?? (step.edge === undefined || !looking ? [] : [step.edge]));
    const begun = this.parts[this.partOf(i)].from;
    const known = edges.filter(e => (this.latest(e, i) ?? -1) >= begun);
    const inserted = step.known > (i ? this.steps[i - 1].known : 0);
    return {
      act: "backward", i, step, line: step.line, code: step.code, current, tags: this.tags(current, edges), atWork,
      active: looking ? other : undefined,
      origin: looking || step.act === "done" ? undefined : this.z, // where the walk begins
      edges: new Set([...edges, ...atWork]),
      known: new Set(known),
      onPath: new Set((step.path ?? []).flatMap(e => [this.edges[e].input, this.edges[e].output])),
      flowing: true,
      totals: this.totals(i),
      valued: () => true,
      got: ["get", "take"].includes(step.act) ? step.y : undefined,
      put: inserted ? step.x : undefined,
      counts: this.counts(i),
      ready: this.state(i, "ready"),
      ordering: this.state(i, "ordering"),
      rows: this.rows(i),
      place: this.state(i, "place"),
      wayIn: ways => (step.act === "done" ? waysIn(ways, this.asked) : undefined),
      sceneIn: near => near.at[i],
    };
  }

  // Return {variable: its tag}: those at the other ends of the edges, and the current one.
  tags(current, edges) {
    const others = [...new Set(edges.map(e => (this.scatters ? this.edges[e].input : this.edges[e].output)))];
    const noun = this.scatters ? "input" : "child";
    const found = new Map(others.map((v, k) => [v, others.length > 1 ? `${noun} ${k + 1}` : noun]));
    if (current !== undefined) found.set(current, this.scatters ? "current y" : "current x");
    return found;
  }

  // Return the variable whose sum the step works on, if there is one.
  /** @param {Step} step */
  collectsFor({ iteration, x, y }) {
    return iteration > 0 ? x ?? y : undefined;
  }

  // Return the step that completes the sum of step i.
  completeAt(i) {
    return this.scatters ? this.steps.length - 1 : this.parts[this.partOf(i)].to;
  }

  // Return the terms of equation (1) for x after step i: as the chain rule, in symbols, in numbers. `edge` is the active one.
  terms(x, i, edge) {
    if (this.keeps.includes("path")) return this.pathTerms(i);
    const begun = this.scatters ? 0 : this.parts[this.partOf(i)].from;
    return this.edgesFrom[x].map(e => {
      const { chain } = this.edges[e], k = this.latest(e, i);
      const past = k === undefined || k < begun ? undefined : this.steps[k];
      const [symbols, numbers] = past?.factors ?? this.given.get(e) ?? [chain.map(() => null), chain.map(() => null)];
      return { chain, symbols, numbers, active: e === edge, done: past?.term !== undefined || this.addedBefore(e, i) || this.given.has(e) };
    });
  }

  addedBefore(edge, i) {
    return this.stepsAt[edge].some(k => k <= i && this.steps[k].act === "add");
  }

  // Return the terms of the sum over paths: the paths of this iteration up to step i.
  pathTerms(i) {
    const { from } = this.parts[this.partOf(i)], found = [];
    for (let k = from; k <= i; k++) {
      const { act, path, term } = this.steps[k];
      if (act !== "multiply") continue;
      const { symbol, mathml } = this.quantities[term];
      found.push({
        chain: path.map(e => this.edges[e].ratio), symbols: [symbol ?? mathml], numbers: [mathml], active: k >= i - 1, done: true,
      });
    }
    return found;
  }
}
