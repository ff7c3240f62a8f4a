// The sentences of a step.

import { all, find, html, inFull } from "../dom.js";

/** @param {Run} run */
export function narrationPanel(root, run, player) {
  const where = find("#where", root), said = find("#narration", root), why = find("#why", root);
  let here; // the text of `where`, and the variable whose line stands there

  // Write where the step is, and the line of the program that made a variable. A screen reader reads the paragraph whenever it changes.
  function write(text, v) {
    if (here === (here = text + v)) return;
    const made = run.variables[v]?.madeAt;
    where.replaceChildren(player.explain.marked(run.sentence(text), new Set()));
    if (made) where.append(" ", html("code", {}, made));
  }

  // A remark on a variable: its fact, which shows more when it is opened.
  /** @param {[fact: string, more?: string]} remark */
  const remark = ([fact, more]) => (more
    ? html("details", {}, html("summary", {}, "! ", run.sentence(fact)), html("p", {}, run.sentence(more)))
    : html("p", {}, "! ", run.sentence(fact)));

  return {
    show(frame) {
      if (frame.said !== undefined) return say(frame);
      root.classList.toggle("looping", frame.step.iteration > 0);
      player.explain.hide();
      write(frame.step.where, frame.step.x);
      const seen = new Set(all(".word", where).map(button => button.dataset.word));
      said.replaceChildren(player.explain.marked(run.sentence(frame.step.said), seen));
      const reason = () => [html("b", {}, "Why?"), " ", player.explain.marked(run.sentence(frame.step.why), seen)];
      why.replaceChildren(...(frame.step.remarks ? frame.step.remarks.map(remark) : frame.step.why ? reason() : []));
      inFull(root);
    },
  };

  // The sentence of an act that is not the backward pass. Nudge and Use speak of z, so z's line stands there. A remark on z, or on a
  // variable that they look at, takes the place of the line, and names its own.
  function say({ act, said: text, computed, layers }) {
    root.classList.add("looping");
    player.explain.hide();
    const v = act === "question" ? computed?.variable : run.z, looked = act === "question" ? [v] : [...(layers?.looked ?? []), v];
    const remarks = run.variables[looked.find(one => run.variables[one]?.remarks)]?.remarks ?? [];
    write("", remarks.length ? undefined : v);
    const sentence = document.createDocumentFragment();
    sentence.append(text);
    said.replaceChildren(player.explain.marked(sentence, new Set()));
    why.replaceChildren(...remarks.slice(0, 1).map(remark));
    inFull(root);
  }
}
