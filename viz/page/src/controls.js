// Keys, buttons, the slider and touch: the user's ways to move the player or to change its looks.

import { find } from "./dom.js";
import { listen } from "./listening.js";

const SMALLEST = 0.6, LARGEST = 2, STEP = 1.1; // of the text
const SWIPE = 60; // pixels
const THEMES = ["auto", "light", "dark"];

export function connect(player, { predict, stops, code, settings }) {
  const speak = language => {
    code.language = settings.language = language;
    find("#lang").textContent = language === "python" ? "show pseudocode" : "show Python";
  };
  const changeLanguage = () => {
    speak(code.language === "pseudocode" ? "python" : "pseudocode");
    player.refresh();
  };
  const changePredicting = () => {
    predict.toggle();
    settings.predict = predict.on;
    find("#predict").setAttribute("aria-pressed", predict.on);
  };
  const startPredicting = () => {
    changePredicting();
    player.askHere();
  };
  const stopHere = () => {
    const node = document.activeElement?.closest?.(".node");
    if (node) stops.toggle(+node.id.split("-").at(-1));
    else stops.open();
  };
  const help = () => find("#keys").togglePopover();
  const resize = makeResize();

  const actions = [ // [what to do, its button, its keys]
    [player.first, "#first", "Home"],
    [player.previousIteration, "#prev-iter", "ArrowUp"],
    [player.back, "#back", "ArrowLeft", "PageUp"],
    [player.next, "#next", "ArrowRight", "PageDown"],
    [player.nextIteration, "#next-iter", "ArrowDown"],
    [player.last, "#last", "End"],
    [player.play, "#play", " ", "p"],
    [startPredicting, "#predict", "q"],
    [player.nextAct, null, "Shift+ArrowRight"],
    [player.previousAct, null, "Shift+ArrowLeft"],
    [player.skip, null, "s"],
    [player.values, null, "f"],
    [stopHere, "#stops", "b"],
    [changeLanguage, "#lang", "c"],
    [changeTheme, "#theme", "t"],
    [() => find("#why").toggleAttribute("hidden"), null, "y"],
    [help, null, "?"],
    [() => find("#difference")?.click(), null, "d"],
    [() => find("#memory-button")?.click(), null, "m"],
    [() => resize(STEP), null, "+", "="],
    [() => resize(1 / STEP), null, "-"],
  ];
  for (const [action, button] of actions) if (button) find(button).addEventListener("click", () => action());
  connectKeys(new Map(actions.flatMap(([action, , ...keys]) => keys.map(key => [key, action]))), predict, player);
  find("#slider").addEventListener("input", event => player.seek(event.target.value - 1));
  find("#slider").addEventListener("pointerup", event => event.target.blur()); // the arrow keys move the page's steps again
  find("#stop-dialog").addEventListener("close", event => event.target.returnValue === "run" && player.seek(stops.next(player.step - 1)));
  connectSwipes(find("#graph-panel"), player);
  connectPrint(player);

  speak(settings.language);
  if (settings.predict) changePredicting();
}

export function changeTheme() {
  setTheme(THEMES[(THEMES.indexOf(document.body.dataset.theme) + 1) % THEMES.length]);
}

export function setTheme(name) {
  if (!THEMES.includes(name)) return;
  document.body.dataset.theme = name;
  find("#theme").textContent = `theme: ${name}`;
}

// Return a function that scales the text by a factor.
function makeResize() {
  let scale = 1;
  return factor => {
    scale = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
    document.documentElement.style.setProperty("--scale", scale.toFixed(3));
    dispatchEvent(new Event("resize"));
  };
}

// Keys belong to the page, unless the user types an answer, moves the slider, presses a button or reads a dialog.
function connectKeys(actionOf, predict, player) {
  listen("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || find("dialog[open]")) return;
    if (event.key === "Escape" && find(":popover-open")) return; // it closes the keys
    if (event.key === "Escape" && predict.asking) return predict.dismiss();
    if (event.target.matches("input:not([type=range])") || (event.target.type === "range" && /^Arrow(Up|Down)$/.test(event.key))) return;
    const key = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    const action = player.state.keys?.[key] ?? actionOf.get(key) ?? actionOf.get(key.toLowerCase());
    if (!action || (event.key === " " && event.target.closest("button, summary, .node"))) return;
    event.preventDefault();
    action();
  });
}

// A swipe to the left is the next step, to the right the previous one. In a graph that is larger than its window it moves the graph.
function connectSwipes(graph, player) {
  let start = null;
  graph.addEventListener("pointerdown", event => (start = event.pointerType === "touch" ? event : null));
  graph.addEventListener("pointerup", event => {
    const moved = start ? event.clientX - start.clientX : 0;
    if (Math.abs(moved) > SWIPE && !graph.classList.contains("larger")) (moved < 0 ? player.next : player.back)();
    start = null;
  });
}

// Print the end of the run, and all steps as text.
function connectPrint(player) {
  listen("beforeprint", () => {
    find("#transcript").open = true;
    player.showEnd();
  });
  listen("afterprint", () => {
    find("#transcript").open = false;
    player.refresh();
  });
}
