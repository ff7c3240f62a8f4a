// Words of a sentence that explain themselves, and short forms of names that give the whole name: on hover, focus and tap. The explanation
// of a word opens below the sentence's panel, a name below its short form.

import { all, find, html } from "./dom.js";
import { listen } from "./listening.js";
import { listed } from "./say.js";

const AWAY = 4; // pixels between the panel and the explanation

/** @param {Run} run */
export function makeGlossary(run, player) {
  const box = html("div", { id: "meaning", role: "tooltip", hidden: "" }), main = find("#player");
  const patterns = Object.entries(run.glossary).map(([word, { pattern }]) => [word, new RegExp(pattern, "i")]);
  main.append(box);

  // What the word means at this step: the children of the current variable, and the variables that are ringed.
  function here(word) {
    const { current, act } = player.state, children = v => [...new Set(run.edgesFrom[v].map(e => run.edges[e].output))];
    if (word === "input") return { ringed: run.inputs };
    if (word === "ancestor") return { ringed: run.variables.map((_, v) => v).filter(v => v !== run.z) };
    if (act !== "backward" || current === undefined || !["child", "c(x)"].includes(word)) return { ringed: [] };
    const found = children(current);
    const names = listed(found.map(v => run.formula(run.variables[v].written)));
    return {
      ringed: found,
      said: [
        " Here: ", ...(names.length ? names : ["no variable"]), found.length === 1 ? " is the child of " : " are the children of ",
        run.formula(run.variables[current].written), ".",
      ],
    };
  }

  function show(button, hovered) {
    const { word } = button.dataset, { title, meaning } = run.glossary[word], { ringed, said = [] } = here(word);
    open(button, hovered, button.closest(".panel") ?? button, html("b", {}, run.sentence(title)), run.sentence(meaning), ...said);
    for (const v of ringed) find(`#node-${v}`)?.classList.add("pointed");
    button.setAttribute("aria-describedby", "meaning");
  }

  // Show an explanation of an element below itself or another one.
  function open(element, hovered, above, ...said) {
    hide();
    box.replaceChildren(...said);
    box.hidden = false;
    const at = element.getBoundingClientRect(), panel = above.getBoundingClientRect();
    const left = Math.max(8, Math.min(innerWidth - box.offsetWidth - 8, at.left + at.width / 2 - box.offsetWidth / 2));
    const top = panel.bottom + AWAY, hidden = Math.max(0, top + box.offsetHeight + AWAY - innerHeight);
    box.style.left = `${left + scrollX}px`;
    box.style.top = `${top + scrollY - (hovered ? hidden : 0)}px`;
    if (!hovered) scrollBy(0, hidden); // under a mouse nothing moves
  }

  function hide() {
    box.hidden = true;
    for (const node of all(".pointed")) node.classList.remove("pointed");
  }

  const wordAt = event => event.target.closest?.(".word");
  const cutAt = ({ type, target }) => target.closest?.("[data-whole]") ?? (type.startsWith("focus") ? find("[data-whole]", target) : null);
  for (const kind of ["pointerover", "focusin", "click"])
    main.addEventListener(kind, event => {
      const word = wordAt(event), cut = cutAt(event), hovered = event.pointerType === "mouse";
      if (word) show(word, hovered);
      else if (cut && !(cut.closest("svg") && hovered)) open(cut, true, cut, cut.dataset.whole); // a box says its name to the mouse
    });
  for (const kind of ["pointerout", "focusout"]) main.addEventListener(kind, event => (wordAt(event) || cutAt(event)) && hide());
  listen("keydown", event => event.key === "Escape" && hide());

  // Return the sentence with each word marked that is not in `seen` yet. (Before it is on the page: a screen reader reads what changes.)
  function marked(sentence, seen) {
    for (const [word, pattern] of patterns) if (!seen.has(word) && markFirst(sentence, word, pattern)) seen.add(word);
    return sentence;
  }

  return { marked, hide };
}

// Make a button of the first place where a word stands in the text of an element; return whether there is one.
function markFirst(element, word, pattern) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = /** @type {Text} */ (walker.currentNode), found = pattern.exec(text.data);
    if (!found || text.parentElement?.closest(".word, math")) continue; // only then: there are many texts, and twenty words
    const rest = text.splitText(found.index);
    const after = rest.splitText(found[0].length), [end] = after.data.match(/^[.,;:!?)]*/); // which no line begins with
    after.data = after.data.slice(end.length);
    const button = html("button", { type: "button", class: "word", "data-word": word }, found[0]);
    rest.replaceWith(end ? html("span", { class: "together" }, button, end) : button);
    return true;
  }
  return false;
}
