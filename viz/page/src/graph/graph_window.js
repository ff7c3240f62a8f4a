// A window onto a scene. Its texts are never smaller than can be read: a scene that is too large is moved behind the window, and follows
// the current variable. The user drags it, zooms with the wheel or two fingers, and goes back with "fit".

import { all, button, find, html, made, svg } from "../dom.js";

const READ = 0.628, LEAST = 12, LEAST_NARROW = 11; // the least height of a text: in rem, in pixels, in a narrow panel or on a slide
const NARROW = 600; // pixels
const FRAMED = 34, AT_MOST = 1.1; // in a frame that is as high as the page: the height of a graph in rem, and its texts, at most
const LARGE = 1.6, LARGEST_ZOOM = 3; // the largest scale without zoom; the largest zoom
export const ZOOM = 1.25; // of one press
const AROUND = 0.1, DRAG = 5; // of the window, around what is followed; pixels from which a press is a drag

// `panel` holds the element `root`, which shows what is in `camera`. `moved(view)` is called after each move.
export function makeWindow(panel, root, camera, moved) {
  let scene = null, width = 0, height = 0, rem = 16, free = false, large = LARGE;
  let room = 0; // the height of the window, and of the lines below it, which a whole graph and a part of one use differently
  let smallestIndex = "";
  let zoom = 1, x = 0, y = 0; // `zoom` is the user's; the scene's point x, y is at the top left corner

  const isFramed = () => document.body.classList.contains("framed");
  const fitting = () => Math.min(width / scene.width, height / scene.height);
  // The least scale at which texts can be read.
  const least = () => Math.max(width < NARROW || document.body.classList.contains("slides") ? LEAST_NARROW : LEAST, READ * rem);
  const smallest = look => least() / look.smallest;
  const readable = () => Math.max(Math.min(fitting(), (large * rem) / 17), smallest(scene.look));
  const scale = () => readable() * zoom;
  const larger = () => scene.width * scale() > width + 1 || scene.height * scale() > height + 1;

  function measureRoom() {
    const style = getComputedStyle(panel), enlarged = +style.getPropertyValue("--scale") || 1; // larger text makes no smaller graph
    rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    large = +style.getPropertyValue("--large") || LARGE;
    const around = +style.getPropertyValue("--around");
    free = around > 0; // the page scrolls, so the panel is as high as the graph, up to a limit
    width = root.clientWidth;
    room = free
      ? Math.max(17 * rem, isFramed() ? (FRAMED * rem) / enlarged : innerHeight - (around * rem) / enlarged)
      : root.clientHeight + find(".below", panel).offsetHeight;
    height = free ? room : room - find(".legend", panel).offsetHeight;
  }

  function measure() {
    measureRoom();
    if (free) height = Math.ceil(Math.min(height, scene.height * (isFramed() ? AT_MOST * smallest(scene.look) : scale())));
    else if (larger() || panel.classList.contains("near")) height = root.clientHeight; // else the buttons disappear
    root.style.height = free ? `${height}px` : "";
    zoom = bounded(zoom, Math.min(1, fitting() / readable()), LARGEST_ZOOM);
  }

  function place(smooth = false) {
    const s = scale(), across = width / s, down = height / s;
    x = across >= scene.width ? (scene.width - across) / 2 : bounded(x, 0, scene.width - across);
    y = down >= scene.height ? (scene.height - down) / 2 : bounded(y, 0, scene.height - down);
    camera.classList.toggle("smooth", smooth);
    const index = `${(least() / readable()).toFixed(2)}px`; // in units of the scene: the least height of an index
    if (index !== smallestIndex) root.style.setProperty("--index", (smallestIndex = index)); // setting it again would cost a layout
    camera.style.transform = `translate(${-x * s}px, ${-y * s}px) scale(${s})`;
    moved({ x, y, width: across, height: down, larger: larger(), zoomed: zoom !== 1 });
    if (panel.classList.contains("larger") === larger()) return;
    panel.classList.toggle("larger", larger());
    measure(); // the buttons appear or disappear
    place(smooth);
  }

  // Move so that boxes are visible, the last of them for sure.
  function follow(boxes, smooth = true) {
    if (!larger() || !boxes.length) return place();
    const s = scale();
    for (const box of boxes) {
      const beside = (AROUND * width) / s, left = box.x - box.w / 2, right = box.x + box.w / 2;
      const pad = (box.pad ?? 0) + (AROUND * height) / s;
      x = placedAt(x, width / s, left - beside, right + beside);
      y = placedAt(y, height / s, box.y - box.h / 2 - pad, box.y + box.h / 2 + pad);
    }
    place(smooth);
  }

  // Zoom, and keep a point of the window where it is.
  function zoomBy(factor, px = width / 2, py = height / 2) {
    const before = scale();
    zoom = bounded(zoom * factor, Math.min(1, fitting() / readable()), LARGEST_ZOOM);
    x += px / before - px / scale();
    y += py / before - py / scale();
    place();
  }

  const self = {
    follow, zoomBy, measureRoom,
    // Return how large the texts of a whole scene are in the window: from 1 on they can be read.
    legibility: ({ width: wide, height: high, look }) =>
      Math.min(width / wide, (room - (free || !look.compact ? 0 : LEGEND * rem)) / high) / smallest(look),
    // The same for a part of a graph, below which there is a line with the map.
    legibilityOfPart: ({ width: wide, height: high, look }) =>
      Math.min(width / wide, (free ? room : room - MAP_LINE * rem) / high) / smallest(look),
    get larger() { return larger(); },
    get narrow() { return width < NARROW; },
    panBy(dx, dy) {
      x -= dx / scale();
      y -= dy / scale();
      place();
    },
    centre(cx, cy) {
      x = cx - width / scale() / 2;
      y = cy - height / scale() / 2;
      place(true);
    },
    // Return the width of the window in units of a scene of this look, if its texts are as small as can be read.
    room(look) {
      if (!width) measureRoom();
      return width / smallest(look);
    },
    // Show another scene of the same graph. The corner of its box stands where that of the box `was` stood, if there is room.
    exchange(opened, was, box) {
      const before = scale();
      scene = opened;
      measure();
      x = box.x - box.w / 2 - ((was.x - was.w / 2 - x) * before) / scale();
      y = box.y - box.h / 2 - ((was.y - was.h / 2 - y) * before) / scale();
      place();
    },
    // Show the whole scene; if it is shown already, at the size that can be read.
    fit() {
      const whole = Math.min(1, fitting() / readable());
      zoom = zoom === whole ? 1 : whole;
      place(true);
    },
    open(opened, boxes) {
      scene = opened;
      measure();
      x = y = 0;
      follow(boxes, false);
    },
    resized(boxes) {
      measure();
      follow(boxes, false);
    },
    // On paper the whole scene fits.
    print(on) {
      if (on) root.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
      else root.removeAttribute("viewBox");
      camera.style.transform = "none";
      if (!on) place();
    },
  };
  connectPointers(root, self);
  return self;
}

const MAP_LINE = 2.5, LEGEND = 1.15; // rem: panels/overview.css; the line below small boxes
const MAP = { width: 150, height: 40 }; // pixels
export const bounded = (number, low, high) => Math.max(low, Math.min(high, number));
// Return where a window of this size begins to show all between two places; in the middle of them if it is too small.
const placedAt = (at, size, begin, end) => (end - begin > size ? (begin + end - size) / 2 : Math.min(Math.max(at, end - size), begin));

// Drag with a mouse or one finger, pinch with two fingers, zoom with the wheel. A drag is not a click on what is below it.
function connectPointers(root, view) {
  const down = new Map();
  let dragged = false, far = 0;
  const apart = () => {
    const [a, b] = [...down.values()];
    return { gap: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  const within = ({ x, y }) => { const { left, top } = root.getBoundingClientRect(); return [x - left, y - top]; };
  root.addEventListener("pointerdown", event => {
    if (event.button) return;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (down.size === 1) [dragged, far] = [false, 0];
  });
  root.addEventListener("pointermove", event => {
    const from = down.get(event.pointerId), to = { x: event.clientX, y: event.clientY };
    if (!from || !(view.larger || down.size > 1)) return;
    const before = down.size > 1 ? apart() : null;
    down.set(event.pointerId, to);
    far += Math.hypot(to.x - from.x, to.y - from.y);
    if (!dragged && far < DRAG) return;
    if (!dragged) root.setPointerCapture(event.pointerId);
    dragged = true;
    if (before) view.zoomBy(apart().gap / before.gap, ...within(apart()));
    else view.panBy(to.x - from.x, to.y - from.y);
  });
  for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, event => down.delete(event.pointerId));
  root.addEventListener("click", event => dragged && event.stopPropagation(), { capture: true });
  root.addEventListener("wheel", event => {
    if (!event.ctrlKey && !view.larger) return; // the page scrolls
    event.preventDefault();
    view.zoomBy(Math.exp(-bounded(event.deltaY, -100, 100) / 300), ...within({ x: event.clientX, y: event.clientY }));
  }, { passive: false });
}

// The buttons of the window, and a small map of the scene with a frame around what is visible.
export function makeViewButtons(panel, legend, view, toggleNear) {
  const tool = (text, title, action) => button(action, { title, "aria-label": title }, text);
  const map = svg("svg", { class: "map", "aria-hidden": "true" }), seenPart = svg("rect", { class: "seen" });
  const zooms = [
    tool("−", "smaller: key O", () => view().zoomBy(1 / ZOOM)), tool("+", "larger: key I", () => view().zoomBy(ZOOM)),
    tool("fit", "the whole graph: key W", () => view().fit()),
  ];
  const near = toggleNear && tool("", "", toggleNear);
  const box = html("div", { class: "view" }, map, ...zooms, ...(near ? [near] : []));
  find(".graph-area", panel).after(html("div", { class: "below" }, legend, box));
  map.addEventListener("click", event => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    view().centre(x, y);
  });
  return {
    open(scene, isNear) {
      map.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
      const small = Math.min(MAP.width / scene.width, MAP.height / scene.height);
      made(map, { width: scene.width * small, height: scene.height * small }, []);
      map.replaceChildren(
        ...[...scene.nodes, ...(scene.closed ?? [])].map(({ variable, x, y, w, h }) =>
          svg("rect", { "data-variable": variable, x: x - w / 2, y: y - h / 2, width: w, height: h }),
        ),
        seenPart,
      );
      if (!near) return;
      made(near, { title: `${isNear ? "the whole graph" : "only the part that the step is about"}: key N` }, []);
      near.setAttribute("aria-pressed", isNear);
      near.textContent = "near";
    },
    show(seen, isNear) {
      for (const [name, number] of Object.entries({ x: seen.x, y: seen.y, width: seen.width, height: seen.height }))
        seenPart.setAttribute(name, number);
      box.hidden = !((near && isNear) || seen.larger || seen.zoomed);
      for (const zoom of zooms) zoom.hidden = !(seen.larger || seen.zoomed);
      map.toggleAttribute("hidden", !seen.larger || isNear);
    },
    mark(frame) {
      for (const rect of all("rect[data-variable]", map)) {
        const v = +rect.dataset.variable;
        const done = frame.totals.get(v)?.final ? "done" : "";
        rect.setAttribute("class", v === frame.current ? "current" : frame.tags.has(v) ? "child" : done);
      }
    },
  };
}
