// Predict mode: the page asks for the next derivative before it shows it. Two tries, then the answer; at the end a tally.

import { agreesAll, parseAnswer } from "./answers.js";
import { all, button, find, html } from "./dom.js";

const TRIES = 2; // after the first wrong answer the mistake is named, after the last the answer is shown

// The questions of a run, and what the learner has answered: `first` holds the kind of the first mistake at each closed question, null
// if the first answer was right. viz/questions/quiz.py does the same in the terminal.
/** @param {Run} run */
export function makePredict(form, run, go) {
  const label = find("label", form), input = find("#answer", form), verdict = find("#verdict", form), reveal = find("#reveal", form);
  const tally = makeTally(form, run, again, close), first = new Map();
  let round = run.questions, repeats = false, asked = null, on = false, tries = 0, mistake = null;

  form.addEventListener("submit", event => {
    event.preventDefault();
    if (!asked) return;
    if (first.has(asked)) return leave();
    try {
      judge(parseAnswer(input.value, asked.right.length, run.variables[asked.variable].shape.length > 0));
    } catch (error) {
      say("again", error.message);
    }
  });
  reveal.addEventListener("click", leave);

  function judge(given) {
    tries++;
    if (agreesAll(given, asked.right, asked.exact)) return finish("right", "Right: ", run.sentence(asked.why), ".");
    const [, kind, said, edges] = asked.mistakes.find(([numbers]) => agreesAll(given, numbers, asked.exact)) ?? [
      null, "other", "", asked.edges,
    ];
    mistake ??= kind;
    mark(edges);
    const typed = input.value.trim();
    if (tries === TRIES) return finish("wrong", `Not ${typed}: `, run.sentence(asked.why), ".", ...(said ? [" ", run.sentence(said)] : []));
    say("wrong", `Not ${typed}. `, run.sentence(said || asked.hint), " Try again.");
    input.select();
  }

  function finish(kind, ...parts) {
    first.set(asked, mistake);
    say(kind, ...parts);
    reveal.textContent = "continue";
    input.readOnly = true;
    reveal.focus();
  }

  function say(kind, ...parts) {
    verdict.className = kind;
    verdict.replaceChildren(...parts);
  }

  // Mark what a diagnosis speaks of: edges of the graph, and their terms of the sum.
  function mark(edges) {
    const terms = all("#equation .rows:not(.behind) .chain .term"), inSum = run.edgesFrom[asked?.variable] ?? [];
    for (const edge of all("#graph :is(.edge, .way)")) edge.classList.toggle("marked", edges.includes(+edge.id.split("-").at(-1)));
    terms.forEach((term, k) => term.classList.toggle("marked", edges.includes(inSum[k])));
  }

  // Go to the step that was asked about; when questions are repeated, to the next of them.
  function leave() {
    const { step } = asked;
    if (!first.has(asked)) first.set(asked, "shown");
    close();
    go(step);
    if (repeats) goOn();
  }

  function goOn() {
    const next = round.find(question => !first.has(question));
    if (!next) return go(run.steps.length - 1);
    go(next.step - 1);
    if (!asked) ask(next.step);
  }

  function close() {
    if (asked) mark([]);
    asked = mistake = null;
    tries = 0;
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    if (form.contains(focused)) focused.blur(); // the hidden field would take the next key until the next paint
    form.hidden = true;
    tally.close();
    delete document.body.dataset.asking;
  }

  // Ask only what was not right at the first try.
  function again() {
    round = round.filter(question => first.get(question));
    repeats = true;
    first.clear();
    close();
    goOn();
  }

  // Return whether step i still shows the number that the question's step is the first to show.
  function shows(step, i) {
    return i === step || run.steps[i].x === run.steps[step].x;
  }

  function ask(step) {
    asked = run.questionAt.get(step);
    label.replaceChildren("What is ", run.formula(asked.asked), `${asked.which}?`);
    input.value = "";
    input.readOnly = false;
    input.placeholder = asked.right.length > 1 ? "1 2; 3 4" : "";
    reveal.textContent = "show answer";
    say("");
    form.hidden = false;
    // The rows of the sum that are hidden: they would give the answer; for arrays the learner needs the rules.
    document.body.dataset.asking = run.tensors ? "numbers" : "symbols numbers";
    input.focus();
  }

  return {
    get on() { return on; },
    get asking() { return asked !== null || tally.open; },
    toggle() {
      on = !on;
      [round, repeats] = [run.questions, false];
      first.clear();
      close();
    },
    close,
    ask,
    // Stop asking: the answer may be shown.
    dismiss() {
      if (asked) first.set(asked, first.has(asked) ? first.get(asked) : "shown");
      close();
    },
    // Return the first step between two steps that has an open question; undefined if there is none.
    between(from, to) {
      return on ? round.find(question => question.step > from && question.step <= to && !first.has(question))?.step : undefined;
    },
    // Return the step whose question must be answered before step i is shown, because step i shows the answer.
    before(i) {
      const { iteration } = run.steps[i], open = question => !first.has(question) && run.steps[question.step].iteration === iteration;
      return on ? round.find(question => question.step <= i && open(question) && shows(question.step, i))?.step : undefined;
    },
    // At the end of the run: show how many answers were right, and what each kind of mistake was made at.
    conclude() {
      if (on && first.size) tally.show(round, first);
    },
  };
}

// The tally takes the place of the question.
function makeTally(form, run, again, close) {
  const result = html("p", { class: "result", role: "status" }), kinds = html("ul");
  const more = button(again, { id: "again" }, "do these again"), done = button(close, {}, "close");
  const box = html("div", { id: "tally", hidden: "" }, result, html("div", {}, more, done), kinds);
  form.after(box);
  const row = (name, asked) =>
    html("li", {}, html("b", {}, name), ": ", ...asked.flatMap((question, k) => [k ? ", " : "", run.formula(question.asked)]));

  return {
    get open() { return !box.hidden; },
    close() { box.hidden = true; },
    show(round, first) {
      const right = [...first.values()].filter(kind => kind === null).length;
      result.textContent = `${right} of ${first.size} question${first.size === 1 ? "" : "s"} right at the first try.`;
      const found = Object.entries(run.mistakeKinds).map(([kind, name]) => [name, round.filter(question => first.get(question) === kind)]);
      kinds.replaceChildren(...found.filter(([, asked]) => asked.length).map(([name, asked]) => row(name, asked)));
      more.hidden = right === first.size;
      box.hidden = false;
      (more.hidden ? done : more).focus();
    },
  };
}
