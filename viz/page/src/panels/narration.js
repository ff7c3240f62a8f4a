// The sentences of a step.

import { all, find, html } from "../dom.js";

/** @param {Run} run */
export function narrationPanel(root, run, player) {
  const where = find("#where", root), said = find("#narration", root), why = find("#why", root);
  let here = null; // the text of `where`
  return {
    show(frame) {
      if (frame.said !== undefined) return say(frame);
      root.classList.toggle("looping", frame.step.iteration > 0);
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
  function say({ said: text }) {
    root.classList.add("looping");
    where.textContent = here = "";
    player.explain.hide();
    const sentence = document.createDocumentFragment();
    sentence.append(text);
    said.replaceChildren(player.explain.marked(sentence, new Set()));
    why.textContent = "";
  }
}
