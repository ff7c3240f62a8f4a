// Exchange the player: zoom into a function, a small one of tensors in its entries or a statement in its operations. The whole page plays
// its graph until the user goes back. And run again at other starting values. `inside` is the path to the graph that is open: the place of
// a variable; of a folded loop also of one pass, 31.7; of a function within a statement both places, 31-2.

import { runOfEntries } from "./arrays/entries.js";
import { all, button, find, html, keyHelp } from "./dom.js";
import { listen, stopListening } from "./listening.js";
import { makePlayer } from "./player.js";
import { dataAt, whyNotAt } from "./replay.js";
import { Run } from "./run.js";

// Start the page's player; exchange it at each zoom and back. Every player begins with the original page, and is `started(player)`.
export function startPlayers(data, started) {
  const parts = ["#player", "#keys", "#stop-dialog"], blank = parts.map(part => find(part).cloneNode(true));
  const listed = [...find("#transcript ol").children];
  const original = runOf(data);
  let outer = runAt(addressed());
  const settings = { language: "pseudocode", predict: false, runAgain };
  let player = null, inside = null;
  const left = {}; // of each graph that was left for one within it: the act and the step to return to

  // The starting values in the address, #start=3,1,-2,5&step=28, if the page can run there; else those of the page.
  function addressed() {
    const x = /start=([^&]*)&/.exec(location.hash)?.[1].split(",").map(Number);
    return x && whyNotAt(original, x) === null ? x : original.live?.start;
  }

  function runAt(x) {
    return !x || x.every((number, k) => number === original.live.start[k]) ? original : runOf(dataAt(data, x));
  }

  const { listing, python, glossary, mistakeKinds } = data, shared = { listing, python, glossary, mistakeKinds };

  const graphAt = path => (path === null ? data : path.split("-").reduce((graph, v) => graph?.scalarGraphs?.[v], data));
  const around = path => path.split("-").slice(0, -1).join("-") || null;
  const within = v => (inside === null ? `${v}` : `${inside}-${v}`);

  const asked = () => {
    const path = /zoom=([\d.-]+)/.exec(location.hash)?.[1] ?? null;
    return graphAt(path) ? path : null;
  };

  const runWithin = path => (path === null ? outer : runOf({ ...shared, ...graphAt(path), address: `zoom=${path}&` }));

  function start(v) {
    inside = v;
    const run = runWithin(v);
    document.body.classList.toggle("tall", !!(run.scene.whole ?? run.folded)?.tall);
    document.body.classList.toggle("listed", !!run.table);
    document.body.classList.toggle("tensors", run.tensors);
    window.player = player = makePlayer(run, settings, v === null ? document.body.dataset.start : "backward 1");
    find("#warning")?.toggleAttribute("hidden", outer !== original);
    find("#transcript ol").replaceChildren(...(outer === original ? listed : stepsAsText(outer)));
    if (data.scalarGraphs) connectZoom();
    started(player);
  }

  // Where the page is, and go there: the number of a slide, or an act and a step.
  const here = () => (player.slides ? [player.slides.slide] : [player.state.act, player.step - 1]);
  const first = () => (player.slides ? [1] : ["backward", 0]);
  const goTo = place => (player.slides ? player.slides.go(...place) : player.enter(...place));

  function change(v) {
    player.pause();
    stopListening();
    document.body.classList.remove("beside");
    delete document.body.dataset.act;
    parts.forEach((part, k) => find(part).replaceWith(blank[k].cloneNode(true)));
    find("#theme").textContent = `theme: ${document.body.dataset.theme}`;
    start(v);
  }

  // Play the graph at other numbers of its inputs, from `goal` on: an act and a step. Return why not, in a sentence, or null.
  function runAgain(x, goal = [player.state.act, player.step - 1]) {
    const why = inside === null ? whyNotAt(outer, x) : "The numbers inside a function follow from the numbers outside.";
    if (why !== null) return why;
    const focused = document.activeElement?.id;
    outer = runAt(x);
    change(null);
    player.enter(...goal);
    if (focused) document.getElementById(focused)?.focus();
    return null;
  }

  // Open the function of a variable of the graph that is open, at its first step.
  function open(v) {
    left[inside] = here();
    leaveMark();
    change(within(v));
    goTo(first());
    find("#back, #zoom").focus();
  }

  // The browser's back button returns to here.
  function leaveMark() {
    try {
      history.pushState(null, "", location.hash);
    } catch {
      // A sandboxed frame refuses.
    }
  }

  function back() {
    const from = placeOf(inside);
    change(around(inside));
    goTo(left[inside] ?? first());
    focusOn(from);
  }

  // Focus the box of a variable. Beside the layers of a network the graph is drawn, or drawn again, some frames later.
  function focusOn(v, frames = 12) {
    const box = [find(`#node-${v}`), find(`.layer[data-variable="${v}"]`)].find(found => found?.checkVisibility());
    box?.focus();
    requestAnimationFrame(() => frames && [box, document.body].includes(document.activeElement) && focusOn(v, frames - 1));
  }

  // The variable that the key Z opens: the one in focus, else the active or current one, else the first that can be opened.
  function nearest() {
    const focused = variableAt(document.activeElement), { active, current } = player.state;
    return [focused, active, current, ...Object.keys(player.run.scalarGraphs)].find(v => player.run.scalarGraphs[v]);
  }

  function connectZoom() {
    const zoomIn = () => open(nearest()), opens = !!player.run.scalarGraphs, toggle = opens ? zoomIn : back;
    const tool = (id, title, text, action) => {
      const found = button(action, { id, title }, text);
      find(".tools").prepend(found);
      return found;
    };
    const zoom = opens && tool("zoom", "key Z", "zoom in", zoomIn);
    if (zoom && inside === null) {
      zoom.dataset.acts = "backward";
      zoom.classList.toggle("elsewhere", player.state.act !== "backward");
    }
    if (inside !== null) tool(opens ? "back" : "zoom", opens ? "key Esc" : "keys Z, Esc", "← back", back);
    find("#keys dl").append(keyHelp(["Z", "Esc"], "look inside a function, and back"));
    if (inside !== null) {
      const from = runWithin(around(inside)), { written, formula } = from.variables[placeOf(inside)];
      find("#functions").replaceChildren(html("span", { id: "inside" }, "inside ", from.formula(written), " = ", from.formula(formula)));
      find("#graph-panel").append(html("p", { id: "inside-note" }, player.run.sentence(player.run.about)));
    }
    // A click on a magnifying glass or on a formula, or Enter at a box of the graph, opens a function.
    const panel = find("#graph-panel"), openAt = event => {
      const v = variableAt(event.target);
      if (!player.run.scalarGraphs?.[v]) return;
      event.stopPropagation();
      event.preventDefault();
      open(v);
    };
    for (const boxes of [panel, ...all("#layers")])
      boxes.addEventListener("click", event => event.target.closest(".zoom, .formula, .formula-more") && openAt(event), { capture: true });
    panel.addEventListener("keydown", event => event.key === "Enter" && openAt(event), { capture: true });
    listen("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey || find("dialog[open]") || event.target.id === "answer") return;
      if (event.key.toLowerCase() === "z") toggle();
      else if (event.key === "Escape" && inside !== null && find("#ask").hidden && !find(":popover-open")) back();
    });
  }

  addEventListener("hashchange", () => {
    if (asked() !== inside) change(asked());
    else if (`${addressed()}` !== `${outer.live?.start}`) {
      outer = runAt(addressed());
      change(inside);
    } else player.followAddress();
  });
  start(asked());
}

// Return the variable of the box that holds an element: in the graph or, in the acts of a network, in the row of layers.
const variableAt = element => element?.closest?.(".node")?.id.split("-").at(-1) ?? element?.closest?.(".layer")?.dataset.variable;

// Return the place of the variable whose function a path opens: the last one on it.
const placeOf = path => parseInt(path.split("-").pop());

// Return the run of a graph; a graph of arrays gets its graph in single numbers too.
function runOf(data) {
  const run = new Run(data);
  if (run.entryGraph) run.ofEntries = runOfEntries(run);
  return run;
}

// Return an item for each part of a run, with all that its steps say.
function stepsAsText(run) {
  const line = ({ where, said, why }) => html("p", {}, ...[where, said, why].filter(Boolean).flatMap(text => [run.sentence(text), " "]));
  return run.parts.map(({ from, to }) => html("li", {}, ...run.steps.slice(from, to + 1).map(line)));
}
