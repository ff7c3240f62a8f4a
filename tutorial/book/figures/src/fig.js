// A figure in the page: it shows a state, and pointer, finger and keys change the state. Knows nothing of what a figure shows.

import { all, find, html } from "../../../../viz/page/src/dom.js";

const TICK = 50; // milliseconds between the steps of a figure that plays
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const FAR = 1e6, ENDS = { Home: [-FAR, -FAR], End: [FAR, FAR] }; // of a slider, so many steps of an arrow key away

// Put a live figure below its still picture, which stays for print.
/** @param {any} place @param {Figure} figure */
export function makeLive(place, figure) {
  const stage = html("div", { class: "fig-stage" }), said = html("p", { class: "fig-said", "aria-live": "polite" });
  const heading = html("p", { class: "fig-does" }, html("b", {}, `${figure.does}.`), ` ${figure.hint}`);
  const live = html("div", { class: "fig-live", role: "group", "aria-label": figure.does }, heading, stage);
  let state = { ...figure.start }, wide = 0;

  const change = changed => {
    if (!changed) return;
    state = { ...state, ...changed };
    show();
  };
  const announce = how => (said.ariaLive = how); // not each of the many sentences of a figure that plays
  const bar = html("div", { class: "fig-bar" });
  const shows = figure.controls.map(control => addControl(bar, control, () => state, change, announce));
  live.append(bar, said);
  place.classList.add("lives");
  find(".fig-still", place).after(live);

  function show() {
    if (!wide) return;
    const next = document.createElement("div");
    next.innerHTML = figure.picture(state, wide);
    update(stage, next);
    said.innerHTML = figure.says(state);
    for (const showControl of shows) showControl();
  }

  stage.addEventListener("pointerdown", event => {
    const grip = handleAt(event);
    if (!grip) return;
    event.preventDefault();
    grip.focus({ preventScroll: true });
    const to = ({ clientX, clientY }) => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(find("svg", stage).getScreenCTM().inverse());
      change(figure.drag(state, [x, y], wide, grip.dataset.drag));
    };
    const held = new AbortController(), { signal } = held;
    addEventListener("pointermove", to, { signal });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => held.abort(), { signal });
  });

  const on = (chosen, event) => {
    const at = event.target.closest?.("[data-at]");
    if (at && chosen) change(chosen(state, at.dataset.at));
  };
  let pointed = ""; // a pointer that rests on a part does not take back what keys do
  stage.addEventListener("pointermove", event => {
    const at = /** @type {Element} */ (event.target).closest("[data-at]")?.getAttribute("data-at") ?? "";
    if (at !== pointed) on(figure.point, event);
    pointed = at;
  });
  for (const name of ["focusin", "click"]) stage.addEventListener(name, event => on(figure.point, event));
  stage.addEventListener("click", event => on(figure.choose, event));

  live.addEventListener("keydown", event => {
    const { key, shiftKey } = event, { drag, at } = event.target.dataset, way = WAYS[key];
    if (at && (key === "Enter" || key === " ")) on(figure.choose, event);
    else if (drag && ENDS[key]) change(figure.press(state, ENDS[key], drag));
    else if (way && drag) change(figure.press(state, way.map(by => by * (shiftKey ? 10 : 1)), drag));
    else if (way && at && figure.beside) find(`[data-at="${figure.beside(state, at, way)}"]`, stage)?.focus();
    else if (way && figure.walk) change(figure.walk(state, way));
    else return;
    event.preventDefault();
    event.stopPropagation(); // slides would turn to the next one
  });

  new ResizeObserver(() => { // of the heading, which is as wide as the picture, and whose size a new picture does not change
    const now = Math.floor(stage.clientWidth);
    if (now && now !== wide) {
      wide = now;
      show();
    }
  }).observe(heading);
}

/** @returns {SVGElement | null} */
const handleAt = event => event.target.closest("[data-drag]");

// Add a control to the bar, and return the function that lets it show the state.
function addControl(bar, control, stateOf, change, announce) {
  if ("play" in control) return addPlay(bar, control, stateOf, change, announce);
  if ("slide" in control) return addSlider(bar, control, stateOf, change);
  if ("choose" in control) return addChoice(bar, control, stateOf, change);
  const button = html("button", { type: "button", "aria-label": control.label });
  button.addEventListener("click", () => change(control.change(stateOf())));
  bar.append(button);
  return () => {
    button.textContent = typeof control.press === "string" ? control.press : control.press(stateOf());
    button.ariaDisabled = control.idle?.(stateOf()) ? "true" : null;
  };
}

// Add a button that begins and pauses steps. Where motion is reduced, many steps are one.
function addPlay(bar, { play, tick, idle, calm }, stateOf, change, announce) {
  const button = html("button", { type: "button", class: "fig-play" }, play);
  let timer = 0;
  const turn = begun => {
    clearInterval(timer);
    timer = begun ? setInterval(step, TICK) : 0;
    button.textContent = begun ? "pause" : play;
    announce(begun ? "off" : "polite");
  };
  const step = () => (idle(stateOf()) ? turn(false) : change(tick(stateOf())));
  button.addEventListener("click", () => {
    if (timer || !CALM.matches) return turn(!timer && !idle(stateOf()));
    for (let k = 0; k < calm; k++) step();
  });
  bar.append(button);
  return () => (button.ariaDisabled = idle(stateOf()) ? "true" : null);
}

/** @param {any} bar @param {any} control @param {() => State} stateOf @param {(changed: State) => void} change */
function addSlider(bar, { slide, of, min = 0, max, step = 1, written = String, ...how }, stateOf, change) {
  const { value, changed } = shownAndChanged(of, how);
  const input = html("input", { type: "range", min, max, step }), output = html("output");
  input.addEventListener("input", () => change(changed(stateOf(), Number(input.value))));
  input.addEventListener("keydown", event => event.stopPropagation());
  bar.append(html("label", { class: "fig-slide" }, html("span", {}, slide), input, output));
  return () => {
    input.value = value(stateOf());
    input.ariaValueText = output.textContent = written(value(stateOf()), stateOf());
  };
}

function addChoice(bar, { choose, of, options, idle, ...how }, stateOf, change) {
  const { value, changed } = shownAndChanged(of, how), row = html("div", { class: "fig-choice", role: "group", "aria-label": choose });
  for (const [option, text = option] of options) {
    const button = html("button", { type: "button", "data-option": String(option) }, text);
    button.addEventListener("click", () => change(!idle?.(stateOf()) && changed(stateOf(), option)));
    row.append(button);
  }
  bar.append(row);
  return () => {
    for (const button of all("button", row)) {
      button.ariaPressed = String(button.dataset.option === String(value(stateOf())));
      button.ariaDisabled = idle?.(stateOf()) ? "true" : null;
    }
  };
}

// Return what a control shows of the state, and what it changes: the field `of` the state, unless the control says how.
const shownAndChanged = (of, { value = state => state[of], change = (_, to) => ({ [of]: to }) }) => ({ value, changed: change });

// Make an element like another one, but keep its parts, of which one may have the focus. So a picture keeps the order of its groups.
function update(old, next) {
  const was = [...old.childNodes], now = [...next.childNodes];
  for (const [k, node] of now.entries()) {
    const kept = was[k];
    if (!kept) old.append(node);
    else if (kept.nodeName !== node.nodeName) kept.replaceWith(node);
    else if (node instanceof Element) {
      for (const { name } of [...kept.attributes]) if (!node.hasAttribute(name)) kept.removeAttribute(name);
      for (const { name, value } of node.attributes) if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
      update(kept, node);
    } else if (kept.data !== node.data) kept.data = node.data;
  }
  for (const node of was.slice(now.length)) node.remove();
}
