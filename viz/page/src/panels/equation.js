// Equation (1) for the current variable: the rule and its sum. Before and after the loop, a sentence.

import { MATHML, equals, html, math, sign } from "../dom.js";
import { listen } from "../listening.js";
import { Place } from "../nudging/nudging.js";
import { settle } from "../places.js";
import { wordsOf } from "../say.js";
import { makeSum } from "../sum.js";

const MOST_SUMS = 4; // sums that are kept, laid out
const MOST_CHILDREN = 10; // that c(x) lists
const MOST_CARDS = 8, MOST_SAID = 4; // answers at the end; of a few, each in words too

const fraction = (d, top, bottom) => math("mfrac", ...[top, bottom].map(name => math("mrow", math("mi", d), ...apart(d, name), name)));
const letter = text => math("mi", text);

// A thin space between a d and a name of several letters, as Python writes it (begins_with_word).
function apart(d, name) {
  const first = name.localName === "mi" ? name : name.querySelector("mi");
  if (d !== "d" || !/^\p{L}(\p{L}|_)/u.test(first?.textContent ?? "")) return [];
  const space = math("mspace");
  space.setAttribute("width", "0.17em");
  return [space];
}

// A bracket of fixed size, without space around it.
function bracket(text) {
  const found = sign(text);
  for (const [name, value] of [["stretchy", "false"], ["lspace", "0"], ["rspace", "0"]]) found.setAttribute(name, value);
  return found;
}

export const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

// The cost of the run, counted from its steps: how often it used each edge, and how many derivatives it computed.
function conclusion(run) {
  const use = run.keeps.includes("path") ? "multiply" : "add";
  const walked = run.steps.filter(({ act }) => act === use).map(({ path, edge }) => path ?? [edge]), used = walked.flat();
  const derivatives = new Set(run.insertions.map(({ variable }) => variable).filter(v => v !== run.z)).size;
  const edges = counted(run.edges.length, "edge"), often = `${edges} ${counted(used.length, "time")} in total`;
  if (run.keeps.includes("path")) return `The loop walked ${counted(walked.length, "path")} one by one. It used ${often}.`;
  const each = run.edges.length === 1 ? "the only edge" : `each of the ${edges}`;
  const once = used.length === run.edges.length && new Set(used).size === used.length;
  return `One pass used ${once ? `${each} once` : often} and computed ${counted(derivatives, "derivative")}.`;
}

/** @param {Run} run */
export function equationPanel(root, run) {
  const z = () => run.piece(run.variables[run.z].written), { letters } = run;
  const stage = html("div", { class: "stage" }), sums = new Map();
  let shown = null; // of the sums

  // dz/dx = Σ dz/dy · ∂y/∂x over the children y of x
  function general(x) {
    const sum = document.createElementNS(MATHML, "munder");
    const over = sign("∑");
    over.setAttribute("movablelimits", "false");
    sum.append(over, math("mrow", letter(letters.y), sign("∈"), letter(letters.c), bracket("("), x(), bracket(")")));
    const inside = run.tensors
      ? [math("msub", letter("G"), math("mrow", x(), sign(","), letter(letters.y)))]
      : [tinted("total", fraction("d", z(), letter(letters.y))), sign("·"), tinted("partial", fraction("∂", letter(letters.y), x()))];
    return math("math", fraction("d", z(), x()), sign("="), sum, ...inside);
  }

  function tinted(name, ...pieces) {
    const row = math("mrow", ...pieces);
    row.setAttribute("class", name);
    return row;
  }

  // c(x) as a set, of many children the first ones. A line may break after each child.
  function children(x) {
    const taken = [...new Set(run.edgesFrom[x].map(e => run.edges[e].output))];
    const few = taken.slice(0, taken.length > MOST_CHILDREN + 1 ? Math.min(MOST_CHILDREN, run.mostTerms) : run.mostTerms);
    const names = few.map(y => run.piece(run.variables[y].written)), more = taken.length - few.length;
    if (more) names.push(run.piece(run.words(run.mostTerms < Infinity ? "…" : `… ${more} more`)));
    const listed = names.map((name, k) => math("math", name, k < names.length - 1 ? sign(",") : bracket("}")));
    const own = [bracket("("), run.piece(run.variables[x].written), bracket(")")];
    const begin = math("math", letter(letters.c), ...own, sign("="), bracket("{"));
    return html("span", { class: "children" }, html("span", { class: "unbroken" }, begin, ...listed.slice(0, 1)), ...listed.slice(1));
  }

  // The result of the sum, in symbols and in numbers, if it says more than the terms.
  function results(found, terms) {
    const q = found ? run.quantities[found.quantity] : null, alone = terms.length === 1;
    return {
      chain: null,
      symbols: q && !run.tensors && !(alone && terms[0].symbols.length === 1) ? q.symbol : null,
      numbers: q && !(alone && terms[0].numbers.length === 1) ? q.mathml : null,
    };
  }

  // A sum of more terms than there is room for: the first terms, that of step i, and how many others there are.
  function shortened(terms, i) {
    const more = terms.length - run.mostTerms, at = run.edgesFrom[run.collectsFor(run.steps[i])].indexOf(run.steps[i].edge);
    if (more <= 1) return terms; // one more takes the room of "… 1 more"
    const first = terms.slice(0, run.mostTerms - 1), left = terms.filter((_, k) => k >= first.length && k !== at);
    const others = [`${left.length} more`, "", ""].map(text => [run.words(`… ${text}`)]), [chain, symbols, numbers] = others;
    const rest = { chain, symbols, numbers, active: false, done: left.every(({ done }) => done) };
    return [...first, ...(at >= first.length ? [terms[at]] : []), rest];
  }

  // The sum for x at step i, in its final size. It is laid out behind the one that is shown until it is needed.
  function sumAt(i, x) {
    const last = run.completeAt(i), key = run.mostTerms < Infinity ? `${x} ${i} ${run.mostTerms}` : `${x} ${last}`;
    if (sums.has(key)) return sums.get(key);
    if (sums.size === MOST_SUMS) forget([...sums.keys()].find(other => sums.get(other) !== shown));
    const final = shortened(run.terms(x, last), i), sum = makeSum(run, x, final, results(run.totals(last).get(x), final));
    sum.rule = html("div", { class: "rule", "data-scrolls": "", role: "region", "aria-label": "rule" },
      general(() => run.piece(run.variables[x].written)), children(x));
    sum.show(shortened(run.terms(x, i), i), results(null, final));
    sums.set(key, sum);
    stage.append(sum.box);
    return sum;
  }

  function forget(key) {
    sums.get(key).box.remove();
    sums.delete(key);
  }

  function showSum({ i, step, totals }, x) {
    const sum = sumAt(i, x), terms = shortened(run.terms(x, i, step.edge), i);
    if (sum !== shown || !stage.parentNode) {
      shown = sum;
      for (const { box } of sums.values()) box.classList.toggle("behind", box !== sum.box);
      if (stage.parentNode) root.firstChild.replaceWith(sum.rule);
      else root.replaceChildren(sum.rule, stage);
      sum.finish();
    } else prepare(i);
    const found = totals.get(x), complete = run.keeps.includes("path") ? found?.final : terms.length > 0 && terms.every(term => term.done);
    sum.show(terms, results(complete ? found : null, terms));
  }

  // Lay out the next sum ahead of time, a part with each step: the layout of a long sum takes most of the time of a step.
  function prepare(i) {
    const next = run.parts[run.partOf(i) + 1], x = next && run.collectsFor(run.steps[next.from]);
    if (x === undefined || x === run.z || run.scatters) return;
    const sum = sumAt(next.from, x);
    if (sum !== shown) sum.box.classList.add("behind");
    sum.prepare();
  }

  // The derivatives of the inputs, the first few of many, and what the run cost.
  function answers() {
    const totals = run.totals(run.steps.length - 1), inputs = run.inputs.filter(v => totals.has(v));
    const place = run.live && inputs.length <= MOST_SAID ? new Place(run, run.live.start) : null, { growth } = wordsOf(run);
    const inWords = v =>
      v !== run.z && place?.behaviour(run.live.inputs.indexOf(v)).kind === "smooth" ? [html("small", {}, growth(v, place.totals[v]))] : [];
    const card = v =>
      html("li", {},
        html("span", {}, run.formula(run.variables[v].total), equals(), run.formula(run.quantities[totals.get(v).quantity].mathml)),
        ...inWords(v));
    const more = inputs.length - MOST_CARDS, cards = inputs.slice(0, MOST_CARDS).map(card);
    if (more > 0) cards.push(html("li", { class: "more" }, `… ${more} more`));
    root.replaceChildren(
      html("div", { class: "answers" }, html("h2", {}, "the answers"), html("ul", {}, ...cards), html("p", {}, conclusion(run))),
    );
  }

  function introduction(...paragraphs) {
    const intro = html("div", { class: "introduction" }, ...paragraphs.map(text => html("p", {}, text)));
    root.replaceChildren(intro);
    return intro;
  }

  function before() {
    const intro = introduction(), { x, y } = letters;
    intro.append(general(() => letter(letters.x)));
    const legend = html("p", {}, "Equation (1), the inductive chain rule. Look up the ");
    legend.append(
      html("b", { class: "total" }, "total derivatives of the children"), ". Calculate the ",
      html("b", { class: "partial" }, "partial derivatives on the edges"), ". The sum of their products is the ",
      html("b", { class: "finished" }, "total derivative of the current variable"), ".",
    );
    if (run.tensors)
      legend.replaceChildren(
        `Equation (1) for arrays. The total derivative of ${x} is the sum of the contributions that the children ${y} of ${x} `,
        `pass to ${x}.`,
      );
    intro.append(legend);
  }

  function fitAgain() {
    if (!stage.isConnected) shown = null;
    for (const [key, sum] of [...sums]) if (sum !== shown) forget(key);
    shown?.fit();
    settle();
  }
  listen("resize", fitAgain);
  listen("refit", fitAgain);

  return {
    show(frame) {
      const x = run.collectsFor(frame.step);
      if (x !== undefined && x !== run.z) return showSum(frame, x);
      if (frame.step.act === "done") answers();
      else before();
    },
  };
}
