// Slides: the page shows one step at a time, as large as it can, with a presenter's keys. Printing gives one slide a page, with its notes.

import { writeAddress } from "./address.js";
import { changeTheme } from "./controls.js";
import { all, find, html } from "./dom.js";

export function makeSlides(player, slides) {
  const list = slides.filter(slide => stepOf(slide) >= 0);
  const heading = html("h2", { id: "heading" }), number = html("p", { id: "number" });
  const note = html("p", { id: "note", role: "note", hidden: "" });
  const blank = html("div", { id: "blank", role: "img", "aria-label": "blank screen", hidden: "" });
  const printed = html("div", { id: "printed" });
  const button = (text, name, title, does) => {
    const made = html("button", { type: "button", "aria-label": name, title }, text);
    made.addEventListener("click", does);
    return made;
  };
  let at = 0;
  const go = i => {
    at = Math.max(0, Math.min(list.length - 1, i));
    show(list[at]);
    writeAddress(`#slide=${at + 1}`);
  };
  const next = () => go(at + 1), back = () => go(at - 1);
  const toggleNote = () => (note.hidden = !note.hidden), toggleBlank = () => (blank.hidden = !blank.hidden);
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.());

  // The step of a slide, from 0; -1 in an act that the graph cannot have.
  function stepOf({ act: name, step }) {
    const act = player.acts[name];
    if (["nudge", "use"].includes(name) && act.length === 1) return -1;
    if (typeof step === "string") return act.parts.findIndex(({ label }) => label === step);
    return step < 0 ? act.parts.filter(({ label }) => label !== "guess").at(-1).to : step; // the last step of the act but its guess
  }

  function show(slide) {
    player.enter(slide.act, stepOf(slide));
    document.body.classList.toggle("table", !!slide.table);
    heading.textContent = slide.heading;
    number.textContent = `${list.indexOf(slide) + 1} / ${list.length}`;
    note.textContent = slide.note;
  }

  /** @type {[() => void, string[]][]} */
  const actions = [
    [next, ["ArrowRight", "PageDown", "ArrowDown", " ", "Enter"]], [back, ["ArrowLeft", "PageUp", "ArrowUp", "Backspace"]],
    [() => go(0), ["Home"]], [() => go(list.length - 1), ["End"]], [toggleNote, ["n"]], [fill, ["f"]], [toggleBlank, ["b", "."]],
    [changeTheme, ["t"]],
  ];
  const keys = new Map(actions.flatMap(([does, names]) => names.map(name => [name, does])));

  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    const target = /** @type {Element} */ (event.target), does = keys.get(event.key) ?? keys.get(event.key.toLowerCase());
    event.stopImmediatePropagation(); // the keys of the page do not act here
    if ((event.key === " " || event.key === "Enter") && target.closest("button")) return;
    if (does) event.preventDefault();
    if (does !== toggleBlank && !blank.hidden) toggleBlank();
    else does?.();
  }, true);

  // A copy of each slide for the printer.
  function print() {
    const here = list[at];
    printed.replaceChildren(...list.map(slide => {
      show(slide);
      const parts = [
        "#heading", "#graph-panel", "#said",
        slide.table ? "#computed-panel" : ({ question: "#question", backward: "#equation" }[slide.act] ?? "#readout"),
      ];
      return html("section", {}, ...parts.map(part => find(part).cloneNode(true)), html("p", { class: "note" }, slide.note));
    }));
    for (const element of all("[id]", printed))
      if (!element.closest("svg")) {
        element.dataset.part = element.id;
        element.removeAttribute("id");
      }
    show(here);
  }
  addEventListener("beforeprint", print);
  addEventListener("afterprint", () => printed.replaceChildren());

  document.body.classList.add("slides");
  find("header").prepend(heading);
  find("#player").append(
    html("nav", { id: "presenter", "aria-label": "Slides" },
      button("◀", "previous slide", "keys ← Page Up", back), number, button("▶", "next slide", "keys → Page Down", next),
      button("notes", "notes", "key N", toggleNote), button("blank", "blank screen", "key B", toggleBlank),
      button("full screen", "full screen", "key F", fill)),
    note,
  );
  document.body.append(blank, printed);
  blank.addEventListener("click", toggleBlank);
  player.next = next; // a swipe
  player.back = back;
  player.showEnd = () => {};
  go(+(/slide=(\d+)/.exec(location.hash)?.[1] ?? 1) - 1);
  player.slides = { go: n => go(n - 1), get slide() { return at + 1; }, count: list.length };
}
