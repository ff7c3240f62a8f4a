// The sentences of a step, and how far the run has come.

import { all, find, html } from "../dom.js";

/** @param {Run} run */
export function narrationPanel(root, run, player) {
  const [title, count] = find("#iteration", root).children, where = find("#where", root), said = find("#narration", root);
  const why = find("#why", root);
  const iterations = Math.max(...run.steps.map(step => step.iteration));
  let here = null; // the text of `where`
  return {
    show(frame) {
      if (frame.said !== undefined) return say(frame);
      const { iteration, act } = frame.step;
      title.textContent = iteration ? "iteration" : act === "done" ? "the end" : "before";
      count.textContent = iteration ? `${iteration} of ${iterations}` : act === "done" ? run.endMark : "the loop";
      root.classList.toggle("looping", iteration > 0);
      player.explain.hide();
      // A screen reader reads the paragraph again whenever it changes.
      if (here !== frame.step.where) where.replaceChildren(player.explain.marked(run.sentence(here = frame.step.where), new Set()));
      const seen = new Set(all(".word", where).map(button => button.dataset.word));
      said.replaceChildren(player.explain.marked(run.sentence(frame.step.said), seen));
      why.replaceChildren(
        ...(frame.step.why ? [html("b", {}, "Why?"), " ", player.explain.marked(run.sentence(frame.step.why), seen)] : []),
      );
    },
  };

  // The sentence of an act that is not the backward pass.
  function say({ act, i, said: text }) {
    const { title: name, parts, partOf } = player.acts[act];
    title.textContent = name;
    count.textContent = `${partOf(i) + 1} of ${parts.length}`;
    root.classList.add("looping");
    where.textContent = here = "";
    player.explain.hide();
    const sentence = document.createDocumentFragment();
    sentence.append(text);
    said.replaceChildren(player.explain.marked(sentence, new Set()));
    why.textContent = "";
  }
}
