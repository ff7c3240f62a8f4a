// The words that have been used so far, and what they mean.

import { html } from "../dom.js";
import { keepInView } from "../places.js";

/** @param {Run} run */
export function wordsPanel(root, run) {
  const list = html("dl"), box = html("div", { class: "words", "data-scrolls": "", role: "region", "aria-label": "words" }, list);
  root.append(box);
  const entry = (word, isNew) => {
    const { title, meaning } = run.glossary[word];
    return html("div", { class: isNew ? "new" : "" }, html("dt", {}, run.sentence(title)), html("dd", {}, run.sentence(meaning)));
  };
  return {
    show({ words, part }) {
      list.replaceChildren(...words.map(word => entry(word, part.words.includes(word))));
      if (words.length) keepInView(box, list.lastChild);
    },
  };
}
