// One trace, and what is to be seen at each of its steps. Knows no page.

const LONG = 24; // characters; a formula in a sentence that is longer may go on in a new line

class Run {
  constructor(data) {
    Object.assign(this, data);
    this.endMark = this.notFinite ? "!" : "✓";
    this.pieces = [];
    this.edgesFrom = this.variables.map(() => []);
    this.edgesInto = this.variables.map(() => []);
    this.edges.forEach((edge, e) => {
      this.edgesFrom[edge.input].push(e);
      this.edgesInto[edge.output].push(e);
    });
    this.stepsAt = this.edges.map(() => []); // the steps that are at each edge
    this.steps.forEach((step, i) => step.edge !== undefined && this.stepsAt[step.edge].push(i));
    this.parts = this.grouped();
    this.questionAt = new Map(this.questions.map(question => [question.step, question]));
  }

  // Formulas, a row of MathML each. It is parsed once; the engine has escaped the names in it.
  piece(place) {
    if (!this.pieces[place]) {
      const template = document.createElement("template");
      template.innerHTML = `<math>${this.strings[place]}</math>`;
      this.pieces[place] = math("mrow", ...flat(template.content.firstChild));
    }
    return this.pieces[place].cloneNode(true);
  }

  formula(place) {
    return math("math", ...this.piece(place).children);
  }

  // The same in pieces, so that a long formula can go on in a new line.
  lines(place) {
    const row = this.piece(place), lines = row.textContent.length < LONG ? [row.children] : linesOf(row), found = document.createDocumentFragment();
    found.append(...lines.map(line => math("math", ...line)));
    return found;
  }

  // A sentence: words, and formulas as $place$.
  sentence(text = "") {
    const found = document.createDocumentFragment();
    text.split("$").forEach((part, k) => found.append(k % 2 ? this.lines(part) : part));
    return found;
  }

  // The parts of the run: before the loop, one for each iteration, the end.
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

  // The latest step at an edge, up to step i.
  latest(edge, i) {
    return this.stepsAt[edge].findLast(k => k <= i);
  }

  // {variable: {quantity, final}}: total derivatives as far as they are summed up after step i.
  totals(i) {
    const step = this.steps[i], found = new Map(), heard = new Map();
    for (const { variable, total } of this.insertions.slice(0, step.known)) {
      heard.set(variable, (heard.get(variable) ?? 0) + 1);
      found.set(variable, { quantity: total, final: !this.scatters || heard.get(variable) >= this.edgesFrom[variable].length });
    }
    if (step.x !== undefined && step.total !== undefined && !found.has(step.x)) found.set(step.x, { quantity: step.total, final: false, running: true });
    return found;
  }

  // {variable: how many uses it still waits for} after step i, under dependency counting.
  counts(i) {
    const found = new Map();
    if (!this.keeps.includes("pending")) return found;
    for (let k = 0; k <= i; k++)
      for (const [variable, count] of Object.entries(this.steps[k].pending ?? {})) found.set(+variable, count);
    return found;
  }

  // What the queue or the place on the tape is after step i.
  kept(i, field) {
    if (!this.scatters) return undefined;
    for (let k = i; k >= 0; k--) if (this.steps[k][field] !== undefined) return this.steps[k][field];
    return undefined;
  }

  // The whole scene, or of a large graph the neighbourhood of this number: it is put together from its layout, which others share.
  sceneAt(number) {
    const { scenes, layouts, boxes, numbers } = this.scene;
    if (!scenes) return this.scene;
    if (this.near?.number === number) return this.near;
    const { layout, variable, nodes, edges, folds } = scenes[number], places = layouts[layout], which = new Map(numbers);
    return (this.near = {
      ...places, number, variable,
      nodes: nodes.map((v, k) => ({ variable: v, ...places.nodes[k], ...boxes[v] })),
      edges: edges.map((e, k) => ({ edge: e, ...places.edges[k], number: which.get(e) ?? null })),
      folds: folds.map((fold, k) => ({ ...places.folds[k], ...fold })),
    });
  }

  // Everything that the panels show of step i.
  frame(i) {
    const step = this.steps[i], looking = step.iteration > 0 && step.act !== "done";
    const current = looking ? (this.scatters ? step.y : step.x) : undefined;
    const other = this.scatters ? step.x : step.y;
    const edges = current === undefined ? [] : this.scatters ? this.edgesInto[current] : this.edgesFrom[current];
    const others = [...new Set(edges.map(e => (this.scatters ? this.edges[e].input : this.edges[e].output)))];
    const noun = this.scatters ? "input" : "child";
    const tags = new Map(others.map((v, k) => [v, others.length > 1 ? `${noun} ${k + 1}` : noun]));
    if (current !== undefined) tags.set(current, this.scatters ? "current y" : "current x");
    const atWork = new Set(step.path ?? (step.edge === undefined || !looking ? [] : [step.edge]));
    const begun = this.parts[this.partOf(i)].from;
    const known = edges.filter(e => (this.latest(e, i) ?? -1) >= begun);
    const inserted = step.known > (i ? this.steps[i - 1].known : 0);
    return {
      act: "backward", i, step, line: step.line, code: step.code, current, tags, atWork,
      active: looking ? other : undefined,
      edges: new Set([...edges, ...atWork]),
      known: new Set(known),
      onPath: new Set((step.path ?? []).flatMap(e => [this.edges[e].input, this.edges[e].output])),
      flowing: true,
      totals: this.totals(i),
      valued: () => true,
      got: ["get", "take"].includes(step.act) ? step.y : undefined,
      put: inserted ? step.x : undefined,
      counts: this.counts(i),
      ready: this.kept(i, "ready"),
      place: this.kept(i, "place"),
      scene: this.sceneAt(this.scene.at?.[i]),
    };
  }

  // The same for the forward pass: k = 0 is the inputs, then one function after the other.
  forwardFrame(k) {
    const firing = this.forward[k - 1];
    const current = firing?.variable, fired = new Set(this.forward.slice(0, k).map(f => f.variable));
    const edges = current === undefined ? [] : this.edgesInto[current];
    const tags = new Map(edges.map(e => [this.edges[e].input, "input"]));
    if (current !== undefined) tags.set(current, "fires");
    return {
      act: "forward", i: k, step: {}, line: current === undefined ? 2 : 4, current, tags, firing,
      atWork: new Set(edges), edges: new Set(edges), known: new Set(), onPath: new Set(), flowing: true,
      totals: new Map(), counts: new Map(),
      valued: v => this.variables[v].function === null || fired.has(v),
      put: current,
      scene: this.sceneAt(this.scene.of?.[current ?? this.order.at(-1)]),
    };
  }

  // The variable that a step collects for, if it does.
  collectsFor({ iteration, x, y }) {
    return iteration > 0 ? x ?? y : undefined;
  }

  // The step at which the sum that step i works at is complete.
  completeAt(i) {
    return this.scatters ? this.steps.length - 1 : this.parts[this.partOf(i)].to;
  }

  // Equation (1) for x after step i: its terms as they read, in symbols, in numbers. `edge` is the one at work.
  terms(x, i, edge) {
    if (this.keeps.includes("path")) return this.pathTerms(i);
    const begun = this.scatters ? 0 : this.parts[this.partOf(i)].from;
    return this.edgesFrom[x].map(e => {
      const { chain } = this.edges[e], k = this.latest(e, i);
      const past = k === undefined || k < begun ? undefined : this.steps[k];
      const [symbols, numbers] = past?.factors ?? [chain.map(() => null), chain.map(() => null)];
      return { chain, symbols, numbers, active: e === edge, done: past?.term !== undefined || this.addedBefore(e, i) };
    });
  }

  addedBefore(edge, i) {
    return this.stepsAt[edge].some(k => k <= i && this.steps[k].act === "add");
  }

  // The sum over paths: the paths that were walked so far in this iteration.
  pathTerms(i) {
    const { from } = this.parts[this.partOf(i)], found = [];
    for (let k = from; k <= i; k++) {
      const { act, path, term } = this.steps[k];
      if (act !== "multiply") continue;
      const { symbol, mathml } = this.quantities[term];
      found.push({ chain: path.map(e => this.edges[e].ratio), symbols: [symbol ?? mathml], numbers: [mathml], active: k >= i - 1, done: true });
    }
    return found;
  }
}
