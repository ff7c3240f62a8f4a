// The panels beside the graph: the algorithm, the narration, the dictionary. Each is built once and then updated for each frame.

// The pseudocode, or the Python lines that run. The forward pass has its own few lines.
function makeCode(root, run) {
  const written = (text, number, label) => {
    const depth = Math.floor(text.search(/\S|$/) / 4);
    const row = html("li", { "data-line": number, "data-depth": depth, class: `depth-${Math.min(depth, 6)}` }, html("span", { class: "number", "aria-hidden": "true" }, label));
    row.append(html("code", {}, ...coloured(text.trim())));
    return row;
  };
  const lists = {
    pseudocode: html("ol", {}, ...run.listing.map(({ line, text }) => written(text, line, line))),
    python: html("ol", { hidden: "" }, ...run.python.map((text, k) => written(text, k, k + 1))),
    forward: html("ol", { hidden: "" }, ...run.forwardListing.map(({ line, text }) => written(text, line, line))),
  };
  root.replaceChildren(...Object.values(lists));
  let language = "pseudocode";
  return {
    get language() { return language; },
    set language(name) { language = name; },
    show(frame) {
      const name = frame.act === "forward" ? "forward" : language;
      for (const [key, list] of Object.entries(lists)) list.hidden = key !== name;
      const rows = [...lists[name].children];
      const now = rows.findIndex(row => +row.dataset.line === (name === "python" ? frame.code : frame.line) && frame.step?.act !== "done");
      let depth = now < 0 ? 0 : +rows[now].dataset.depth;
      rows.forEach(row => row.classList.remove("now", "loop"));
      if (now < 0) return;
      rows[now].classList.add("now");
      for (let k = now - 1; k >= 0; k--) {
        if (+rows[k].dataset.depth >= depth) continue;
        depth = +rows[k].dataset.depth;
        rows[k].classList.toggle("loop", /^(for|while)\b/i.test(rows[k].lastChild.textContent));
      }
      keepInView(root, rows[now]);
    },
  };
}

const WORDS = /\b(for each|for|while|let|insert|into|if|in|of|def|return|not|continue|take|put|out|else)\b/gi;

function coloured(text) {
  if (text.startsWith("#")) return [html("i", {}, text)];
  const found = [];
  let at = 0;
  for (const word of text.matchAll(WORDS)) {
    found.push(text.slice(at, word.index), html("b", {}, word[0]));
    at = word.index + word[0].length;
  }
  return [...found, text.slice(at)];
}

// The sentences of a step, and how far the run has come.
function makeNarration(root, run) {
  const [title, count] = find("#iteration", root).children, where = find("#where", root), said = find("#narration", root);
  const iterations = Math.max(...run.steps.map(step => step.iteration));
  let here = null; // the text of `where`
  return {
    show(frame) {
      if (frame.act === "forward") return sayForward(frame);
      const { iteration, act } = frame.step;
      title.textContent = iteration ? "iteration" : act === "done" ? "the end" : "before";
      count.textContent = iteration ? `${iteration} of ${iterations}` : act === "done" ? run.endMark : "the loop";
      root.classList.toggle("looping", iteration > 0);
      if (here !== frame.step.where) where.replaceChildren(run.sentence(here = frame.step.where)); // a screen reader reads the paragraph again whenever it changes
      said.replaceChildren(run.sentence(frame.step.said));
    },
  };

  function sayForward({ i, firing }) {
    title.textContent = "forward";
    count.textContent = i ? `${i} of ${run.forward.length}` : "inputs";
    root.classList.add("looping");
    here = null;
    where.replaceChildren("The forward pass computes values from the inputs to ", run.formula(run.variables[run.z].written), ".");
    if (!firing) return void (said.textContent = "Each input has its given value.");
    const { written, formula, mathml } = run.variables[firing.variable];
    said.replaceChildren("Let ", run.formula(written), equals(), run.lines(formula), equals(), run.formula(mathml), ".");
  }
}

const sign = text => math("mo", text);
const equals = () => math("math", sign("="));

// The dictionary of total derivatives; in the forward pass, of values.
function makeComputed(root, title, run) {
  const rows = new Map();
  const [heading, note] = title.children;
  const order = [...new Set(run.insertions.map(({ variable }) => variable))];

  function row(v) {
    if (rows.has(v)) return rows.get(v);
    const parts = { key: html("span", { class: "key" }), formula: html("span", { class: "formula" }), number: html("span", { class: "value" }), flag: html("span", { class: "flag" }) };
    const made = { ...parts, item: html("li", { "data-variable": v }, ...Object.values(parts)) };
    rows.set(v, made);
    return made;
  }

  return {
    show(frame) {
      const forward = frame.act === "forward";
      heading.textContent = forward ? "values" : run.scatters ? "total" : "computed";
      note.textContent = forward ? "one more per function" : run.scatters ? "total derivatives, accumulated term by term" : "total derivatives, one more per iteration";
      const known = forward ? run.variables.map((_, v) => v).filter(frame.valued) : order.filter(v => frame.totals.get(v) && !frame.totals.get(v).running);
      const items = known.map(v => {
        const found = row(v), { item } = found, sum = frame.totals.get(v);
        const stands = forward ? "value" : `${sum.quantity} ${sum.final}`;
        item.classList.toggle("plain", symbolOf(v, sum, forward) === null);
        if (item.dataset.stands !== stands) fill(found, v, sum, forward);
        item.dataset.stands = stands;
        item.classList.toggle("get", v === frame.got);
        item.classList.toggle("new", v === frame.put);
        found.flag.textContent = v === frame.got ? "← get" : v === frame.put ? "+ new" : "";
        return item;
      });
      arrange(root, items);
      const near = items.find(item => item.classList.contains("get")) ?? items.find(item => item.classList.contains("new")) ?? items.at(-1);
      if (near) keepInView(root, near);
    },
  };

  function symbolOf(v, sum, forward) {
    return forward ? run.variables[v].formula : run.quantities[sum.quantity].symbol;
  }

  function fill({ key, formula, number }, v, sum, forward) {
    const { written, total } = run.variables[v], q = forward ? run.variables[v] : run.quantities[sum.quantity];
    key.replaceChildren(run.formula(forward ? written : total));
    const symbol = symbolOf(v, sum, forward);
    formula.replaceChildren(...(symbol === null ? [] : [run.formula(symbol)]));
    number.replaceChildren(...(symbol === null ? [] : ["= "]), run.formula(q.mathml), ...(forward || sum.final ? [] : [" …"]));
  }
}

// Put these items into a box. Items that are in their place already are not touched.
function arrange(box, items) {
  let same = 0;
  while (same < items.length && box.children[same] === items[same]) same++;
  while (box.children.length > same) box.lastChild.remove();
  box.append(...items.slice(same));
}

// The rest of a schedule's state: its queue, or its tape.
function makeState(root, run) {
  const tape = run.steps[0].tape;
  const name = place => html("span", { class: "item" }, run.formula(place));
  return {
    show(frame) {
      root.hidden = frame.act === "forward" || (frame.ready === undefined && !tape);
      if (root.hidden) return;
      if (tape) {
        root.replaceChildren("tape ", ...tape.map(name));
        const here = root.children[frame.place];
        here?.classList.add("now");
        if (here) keepInMiddle(root, here);
      } else {
        root.replaceChildren("ready ", ...(frame.ready.length ? frame.ready.map(v => name(run.variables[v].written)) : [html("span", { class: "item none" }, "empty")]));
      }
    },
  };
}
