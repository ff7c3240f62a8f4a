// Slides: one step at a time, laid out for a slide, with a presenter's keys. Printing gives one slide a page, with its notes.

import { writeAddress } from "./address.js";
import { changeTheme } from "./controls.js";
import { all, button, find, html } from "./dom.js";
import { cut, cutList, fit, showAll } from "./fitting.js";
import { listen } from "./listening.js";

const MOST_TERMS = [6, 4, 3], SMALL_SUM = 0.75; // of a sum: as many as have room with the chain rule and the numbers
const LESS = 2; // of the equation: without the rule above it and the symbols
const PARTS = { // of the page, beside the sentence, and how they get room: fitting.js
  "#strip": { most: 2 },
  "#equation": { most: 4, changed: fitSum }, "#question": {}, "#plot": {},
  "#computed-panel": { most: 1, list: true },
};

// Break the lines of the sum anew. Return whether its letters are small.
function fitSum() {
  dispatchEvent(new Event("refit"));
  return parseFloat(find(".rows:not(.behind) .chain-rule", find("#equation"))?.style.fontSize) < SMALL_SUM;
}

const hasRoom = box => +box.dataset.less <= LESS && box.style.zoom >= SMALL_SUM;

export function makeSlides(player) {
  const { run } = player, { slides } = run;
  const list = slides.filter(slide => stepOf(slide) >= 0);
  const heading = html("h2", { id: "heading" }), number = html("p", { id: "number" });
  const note = html("p", { id: "note", role: "note", hidden: "" });
  const blank = html("div", { id: "blank", role: "img", "aria-label": "blank screen", hidden: "" });
  const printed = html("div", { id: "printed" });
  const presented = (text, name, title, does) => button(does, { "aria-label": name, title }, text);
  const frame = html("div", { id: "slide" }), texts = html("div", { id: "texts" }, find("#said"), note, find("#strip"));
  const functions = find("#functions");
  let at = 0;
  const go = i => {
    at = Math.max(0, Math.min(list.length - 1, i));
    show(list[at]);
    writeAddress(`#${run.address ?? ""}slide=${at + 1}`);
  };
  const next = () => go(at + 1), back = () => go(at - 1);
  const toggleNote = () => {
    frame.classList.toggle("noted", !(note.hidden = !note.hidden));
    fitAll();
  };
  const toggleBlank = () => (blank.hidden = !blank.hidden);
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.());

  // The step of a slide, from 0; -1 in an act that the graph cannot have.
  function stepOf({ act: name, step }) {
    const act = player.acts[name];
    if (["nudge", "use"].includes(name) && act.length === 1) return -1;
    if (typeof step === "string") return act.parts.findIndex(({ label }) => label === step);
    return step < 0 ? act.parts.filter(({ label }) => label !== "guess").at(-1).to : step; // the last step of the act but its guess
  }

  function show(slide) {
    run.slide = slides.indexOf(slide);
    frame.classList.toggle("table", !!slide.table);
    heading.textContent = slide.heading;
    number.textContent = `${list.indexOf(slide) + 1} / ${list.length}`;
    for (const most of MOST_TERMS) {
      run.mostTerms = most;
      player.enter(slide.act, stepOf(slide));
      note.replaceChildren(slide.note, " ", run.sentence(run.about));
      fitAll();
      if (all("#equation .rows:not(.behind) .chain .term").length <= most || hasRoom(find("#equation"))) break;
    }
  }

  // Of the inputs that can be nudged, offer those that the slide shows and that have room.
  function chooseShown() {
    const chooser = find(".chooser", frame), buttons = all("button", chooser), { state } = player;
    if (state.act !== "nudge") return;
    const shown = new Set(state.painted.nodes.map(({ variable }) => variable));
    buttons.forEach((each, k) => (each.hidden = !!run.live && !shown.has(run.live.inputs[k])));
    cut(chooser, buttons.filter(each => each.getAttribute("aria-pressed") !== "true").reverse());
  }

  // Make all texts as large as there is room for, and leave out what has no room.
  function fitAll() {
    chooseShown();
    const state = find("#state"), queue = all(".item", state);
    cut(state, queue.slice(1, -1).reverse(), n => (queue.at(-1).textContent = `… ${n + 1} more`));
    functions.classList.remove("without-room");
    functions.classList.toggle("without-room", ["Width", "Height"].some(way => functions[`scroll${way}`] > functions[`client${way}`] + 1));
    showAll(find("#computed"));
    for (const box of [heading, ...Object.keys(PARTS).map(name => find(name)), find("#said"), note])
      if (box.checkVisibility()) fit(box, PARTS[`#${box.id}`]);
    if (frame.classList.contains("table")) cutList(find("#computed"), run.inputs);
  }

  /** @type {[() => void, string[]][]} */
  const actions = [
    [next, ["ArrowRight", "PageDown", "ArrowDown", " ", "Enter"]], [back, ["ArrowLeft", "PageUp", "ArrowUp", "Backspace"]],
    [() => go(0), ["Home"]], [() => go(list.length - 1), ["End"]], [toggleNote, ["n"]], [fill, ["f"]], [toggleBlank, ["b", "."]],
    [changeTheme, ["t"]],
  ];
  const keys = new Map(actions.flatMap(([does, names]) => names.map(name => [name, does])));

  listen("keydown", event => {
    const target = /** @type {Element} */ (event.target), does = keys.get(event.key) ?? keys.get(event.key.toLowerCase());
    if (event.ctrlKey || event.metaKey || event.altKey || ["Tab", "Escape", "z", "Z"].includes(event.key)) return; // Z, Esc: zoom.js
    if (target.closest("select") || (event.key === "Enter" && target.closest(".node")?.querySelector(".zoom"))) return;
    event.stopImmediatePropagation(); // the keys of the page do not act here
    if ((event.key === " " || event.key === "Enter") && target.closest("button")) return;
    if (does) event.preventDefault();
    if (does !== toggleBlank && !blank.hidden) toggleBlank();
    else does?.();
  }, { capture: true });

  // A copy of each slide for the printer.
  function print() {
    const here = list[at];
    printed.replaceChildren(...list.map(slide => {
      show(slide);
      const isRow = !!player.state.layers, parts = [
        "#heading", isRow ? "#layers" : "#graph-panel", "#said",
        slide.table ? "#computed-panel" : ({ question: "#question", backward: "#equation" }[slide.act] ?? "#readout"),
      ];
      const copies = parts.map(part => find(part).cloneNode(true));
      for (const copy of copies) {
        copy.style.zoom = "";
        copy.removeAttribute("data-acts"); // on paper all acts are shown
      }
      if (isRow) all("canvas", copies[1]).forEach((copy, k) => copy.getContext("2d").drawImage(all("#layers canvas", frame)[k], 0, 0));
      else {
        const { width, height } = player.state.painted, graph = find("#graph", copies[1]);
        graph.setAttribute("viewBox", `0 0 ${width} ${height}`); // on paper the whole scene fits
        find(".camera", graph).style.transform = "none";
      }
      return html("section", {}, ...copies, html("p", { class: "note" }, slide.note));
    }));
    for (const element of all("[id]", printed))
      if (!element.closest("svg, #layers")) {
        element.dataset.part = element.id;
        element.removeAttribute("id");
      }
    show(here);
  }
  listen("beforeprint", print);
  listen("afterprint", () => printed.replaceChildren());

  document.body.classList.add("slides");
  frame.classList.toggle("beside", run.scene.beside);
  const presenter = html("nav", { id: "presenter", "aria-label": "Slides" },
    presented("◀", "previous slide", "keys ← Page Up", back), number, presented("▶", "next slide", "keys → Page Down", next),
    presented("notes", "notes", "key N", toggleNote), presented("blank", "blank screen", "key B", toggleBlank),
    presented("full screen", "full screen", "key F", fill));
  const warning = find("#warning");
  const ofInner = run.about === undefined ? [] : all(`.tools :is(#back, #zoom)${run.pass ? ", #loop" : ""}`); // back; the choice of a pass
  for (const part of ofInner) part.removeAttribute("data-acts");
  frame.append(
    html("header", {}, heading, ...(warning ? [warning] : [functions]), ...ofInner, presenter),
    find("#graph-panel"), ...all("#layers"), texts, ...Object.keys(PARTS).filter(name => name !== "#strip").map(name => find(name)));
  find("#player").append(frame);
  run.mostTerms = MOST_TERMS.at(-1);
  for (const made of [blank, printed]) {
    document.getElementById(made.id)?.remove();
    document.body.append(made);
  }
  blank.addEventListener("click", toggleBlank);
  player.next = next; // a swipe
  player.back = back;
  player.showEnd = () => {};
  listen("resize", fitAll);
  player.followAddress = () => go(+(/slide=(\d+)/.exec(location.hash)?.[1] ?? 1) - 1);
  player.followAddress();
  player.slides = { go: n => go(n - 1), get slide() { return at + 1; }, count: list.length };
}
