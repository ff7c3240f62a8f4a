// The pseudocode, or the Python lines that run.

import { html } from "../dom.js";
import { keepInView } from "../places.js";

/** @param {Pick<Run, "listing" | "python">} run */
export function codePanel(root, run) {
  const written = (text, number, label) => {
    const depth = Math.floor(text.search(/\S|$/) / 4);
    const row = html("li", { "data-line": number, "data-depth": depth },
      html("span", { class: "number", "aria-hidden": "true" }, label));
    row.append(html("code", {}, ...coloured(text.trim())));
    row.style.setProperty("--depth", Math.min(depth, 6));
    return row;
  };
  const lists = {
    pseudocode: html("ol", {}, ...run.listing.map(({ line, text }) => written(text, line, line))),
    python: html("ol", { hidden: "" }, ...run.python.map((text, k) => written(text, k, k + 1))),
  };
  root.replaceChildren(...Object.values(lists));
  let language = "pseudocode";
  return {
    get language() { return language; },
    set language(name) { language = name; },
    show(frame) {
      for (const [key, list] of Object.entries(lists)) list.hidden = key !== language;
      const rows = [...lists[language].children];
      const now = rows.findIndex(
        row => +row.dataset.line === (language === "python" ? frame.code : frame.line) && frame.step?.act !== "done",
      );
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
