// The row of layers: a box for each function or scope, with two pictures, and its parameters below it. It stands in place of the graph.

import { all, button, find, html, svg } from "../dom.js";
import { inRoom } from "../graph/brief_numbers.js";
import { listen } from "../listening.js";
import { shapeText } from "../numbers.js";
import { digits, signed } from "../say.js";
import { Cells, MOST_CELLS, gridOf } from "./grids.js";
import { canvas, paint, pictureOf, pictureOfData } from "./pictures.js";
import { linksOf, rowOf } from "./row.js";

const LEAST_WIDTH = 6, SMALLEST = 0.74; // rem of a box, and of its smallest text
const NARROW = 41; // rem: below, the layers stand one below the other
const SMALL = 12; // numbers of a vector whose cells are wide
const GAP = 1.15, PARAMETER_HIGH = 4.5; // rem between columns, and of a parameter with the gap above it
const MOST_LETTERS = 7; // of a number in a box
const TIGHTER = [[4, 1], [4, 0], [3, 0]]; // in a narrow window: boxes in the row at most, and parameters of each; 0: those looked at
const UNNAMED = /^module\d+$/, NUMBERED = /^v\d+$/, PASSES = /^\d+ passes$/; // a scope, a variable that has only a number, a loop

/** @param {Run} run */
export function layersPanel(root, run) {
  document.body.classList.toggle("network", !!run.network);
  root.hidden = !run.network;
  if (!run.network) return { show() {} };
  const { boxes, given } = run.network, lines = svg("svg", { class: "links", "aria-hidden": "true" }), row = html("div", { class: "row" });
  const said = find("#said");
  root.replaceChildren(row, lines);
  const inputs = v => run.variables[v].inputs, isLeaf = v => run.variables[v].function === null;
  const dataFor = given.find(({ into }) => into === boxes[0]?.shows || boxes[0]?.holds.includes(into));
  let last = null, shown = "", things = [], parts = [], columns = [], room = null;
  let squeeze = null; // how much lower the boxes are, so that their parameters have room; null: not known
  let tight = 0; // in a narrow window the place in TIGHTER: the sentence, which stays in view, covers no box. It grows until the next act

  function measure() {
    const style = getComputedStyle(document.documentElement), size = parseFloat(style.fontSize), { clientWidth, clientHeight } = root;
    const rem = Math.max(size, parseFloat(style.getPropertyValue("--least")) / SMALLEST); // in a small window the texts keep their size
    room = { rem, width: clientWidth, height: clientHeight, narrow: innerWidth < NARROW * size };
    squeeze = null;
  }

  // Build the elements of a row that has other boxes than before.
  function build(frame) {
    const { rem, width, narrow } = room;
    const [most, below] = narrow ? TIGHTER[tight] : [
      Math.max(4, Math.floor((width - 2 * rem - (dataFor ? LEAST_WIDTH * rem : 0)) / (LEAST_WIDTH * rem))),
      Math.max(1, Math.floor((room.height / rem - 11) / PARAMETER_HIGH)),
    ];
    const found = rowOf(boxes, frame.layers.looked, most);
    const looked = frame.layers.looked.filter(isLeaf);
    const key = JSON.stringify([below, looked, found.map(({ box, more }) => box?.shows ?? more.map(m => m.shows))]);
    if (key === shown) return false;
    shown = key;
    things = found;
    parts = [];
    columns = [...(dataFor && !narrow ? [dataColumn(dataFor)] : []), ...found.map(thing => (thing.box ? boxColumn(thing, below)
      : moreColumn(thing.more)))];
    row.replaceChildren(...columns.map(({ element }) => element));
    row.style.gridTemplateColumns = columns.map(({ weight }) => `minmax(0, ${weight}fr)`).join(" ");
    return true;
  }

  const trimmedText = shape => (shape.length ? shapeText(trimmed(shape)) : "");

  // A remark on anything in a box, or who computes the derivative of its function; nothing of a layer of several functions.
  const markOf = box =>
    box.holds.map(v => run.variables[v].mark).find(own => own?.[0] === "remark") ?? (box.boxes ? undefined : run.variables[box.shows].mark);

  // The title is the function and the variable; of z, and of passes of a loop, the variable alone, and the function is below it.
  function boxColumn({ box, path }, most) {
    const v = box.shows, { shape, name, written } = run.variables[v];
    const element = button(() => last.layers.pick(box), { class: "layer", "data-variable": v });
    const tag = html("span", { class: "tag" }), upper = pair(`${box.name}: values`), lower = pair(`${box.name}: change`);
    const scope = [...path.slice(-1), box.scope ?? ""].filter(part => part && !UNNAMED.test(part));
    const alone = v === run.z || PASSES.test(box.name);
    const under = [...(alone ? [box.name] : []), trimmedText(shape), ...(box.boxes ? [`${box.boxes.length} layers`] : alone ? [] : scope)]
      .filter(Boolean).join(" · ");
    const title = alone ? [run.formula(written)] : [box.name, ...(box.boxes || NUMBERED.test(name) ? [] : [" ", run.formula(written)])];
    const why = markOf(box), by = why ? [html("small", { class: "by", title: why[1] }, why[2])] : [];
    const opened = run.scalarGraphs?.[v];
    element.append(tag, html("b", { title: box.name }, ...title), html("small", { title: under }, under), ...by, upper.element,
      lower.element, ...(opened ? [magnifyingGlass(opened.opening ?? "zoom in")] : []));
    parts.push({ kind: "box", v, box, element, tag, upper, lower, look: why ? `layer by-${why[0]}` : "layer" });
    const leaves = box.holds.filter(isLeaf), looked = leaves.filter(leaf => last.layers.looked.includes(leaf));
    const own = !most ? looked : leaves.length <= most ? leaves
      : [...new Set([...looked, ...leaves])].slice(0, Math.max(1, most - 1)).sort((x, y) => x - y);
    const rest = leaves.length - own.length;
    const below = html("div", { class: "parameters" }, ...own.map(parameter), ...(rest ? [html("small", {}, `and ${rest} more`)] : []));
    return { element: html("div", { class: "column" }, element, below), weight: weightOf(shape), leaves: own.length + (rest ? 0.3 : 0) };
  }

  // A click on it opens the function of a layer: zoom.js.
  const magnifyingGlass = title => html("span", { class: "zoom", title }, svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" },
    svg("circle", { r: 11 }), svg("path", { d: "M-5-1a4 4 0 1 0 8 0a4 4 0 1 0-8 0M2 2L6 6" })));

  function parameter(leaf) {
    const { name, label, written, shape } = run.variables[leaf], tag = html("span", { class: "tag" });
    const upper = pair(`${name}: values`), lower = pair(`${name}: derivative`);
    const short = name.includes(".") ? label.map(([text]) => text).join("") : run.formula(written);
    const pick = event => last.layers.pickLeaf(leaf, cellAt(part, event));
    const element = button(pick, { class: "parameter", title: `${name}, ${shapeText(shape)}` }, tag,
      html("span", { class: "head" }, html("span", { class: "name" }, short), html("small", {}, trimmedText(shape))), upper.element,
        lower.element);
    const part = { kind: "leaf", v: leaf, element, tag, upper, lower };
    parts.push(part);
    return element;
  }

  // Return the cell of the picture under the mouse; −1 beside it, and for a click by key.
  function cellAt({ upper }, event) {
    if (event.target !== upper.canvas || !upper.at) return -1;
    return upper.at(event.offsetX, event.offsetY);
  }

  function moreColumn(more) {
    const pick = () => last.layers.pick(more[Math.floor(more.length / 2)]);
    const element = button(pick, { class: "layer more", title: more.map(({ name }) => name).join(", ") }, `… ${more.length} more`);
    return { element: html("div", { class: "column" }, element), weight: 0.7, leaves: 0 };
  }

  function dataColumn(data) {
    const upper = pair(data.name), element = html("div", { class: "layer data", title: data.name }, html("b", {}, data.name),
      html("small", {}, trimmedText(data.shape)), upper.element);
    parts.push({ kind: "data", element, upper, data });
    return { element: html("div", { class: "column" }, element), weight: weightOf(data.shape), leaves: 0 };
  }

  // A label, and below it a picture or a number.
  function pair(label) {
    const title = html("span", { class: "what" }), target = canvas(label), text = html("strong"), element = html("span", { class: "half" },
      title, target, text);
    return { element, title, canvas: target, text };
  }

  // Show one half of a box: {label, picture, text, rings}; a null hides it.
  function showHalf(half, found, size) {
    half.element.hidden = !found;
    if (!found) return;
    half.title.textContent = found.label ?? "";
    half.title.hidden = !found.label;
    half.element.title = found.about ?? "";
    half.title.className = `what ${found.kind ?? ""}`;
    half.canvas.hidden = !found.picture;
    half.text.textContent = found.text ?? "";
    half.text.hidden = found.text === undefined;
    half.text.className = found.kind ?? "";
    if (found.picture) half.at = paint(half.canvas, found.picture, { ...size, rings: found.rings, stretch: found.stretch });
  }

  // It draws itself again with lower boxes, as long as this helps: `before` is what stood below its edge.
  function draw(before = Infinity) {
    if (!last || !room?.width) return;
    const isNew = build(last) || squeeze === null;
    if (isNew) squeeze = 0;
    const { layers } = last, { rem, narrow } = room, total = columns.reduce((sum, { weight }) => sum + weight, 0);
    const across = room.width - 1.4 * rem - (columns.length - 1) * GAP * rem, deepest = Math.max(...columns.map(({ leaves }) => leaves));
    const high = Math.max(room.height - 2 * rem - deepest * PARAMETER_HIGH * rem, 9 * rem) - squeeze;
    row.style.setProperty("--high", narrow ? "auto" : `${high}px`);
    for (const part of parts) {
      const { weight } = columns.find(({ element }) => element.contains(part.element));
      const width = narrow ? 0.4 * room.width - 2 * rem : (across * weight) / total - 1.1 * rem;
      show[part.kind](part, { width, height: narrow ? 3.4 * rem : Math.max((high - 6 * rem) / 2, 0.9 * rem) }, layers);
    }
    if (!narrow) { // parameters may be higher than they use to be, and higher in this step than in the one before
      const lowest = Math.max(...columns.map(({ element }) => element.lastElementChild.getBoundingClientRect().bottom));
      const over = lowest + 0.3 * rem - root.getBoundingClientRect().bottom;
      if (over > 0.5 && over < before) {
        squeeze += over;
        return draw(over);
      }
    }
    if (narrow && tight < TIGHTER.length - 1 && isCovered()) {
      tight++;
      return draw();
    }
    drawLinks(layers);
  }

  // Whether the sentence, where it stays above the controls, covers the end of the row before the page is scrolled.
  function isCovered() {
    const { position, bottom } = getComputedStyle(said);
    const lowest = row.getBoundingClientRect().bottom + scrollY;
    return position === "sticky" && lowest > innerHeight - parseFloat(bottom) - said.offsetHeight;
  }

  // How each kind of part is shown, in a place of this size.
  const show = {
    data: ({ upper, data: { picture, shape, numbers } }, size) => showHalf(upper, { picture: pictureOfData({ picture, shape }, numbers) },
      size),
    box(part, size, layers) {
      const found = layers.box(part.v, part.box);
      mark(part, part.look, found);
      showHalf(part.upper, found.upper, size);
      showHalf(part.lower, found.lower, size);
    },
    leaf(part, { width }, layers) {
      const found = { ...layers.leaf(part.v), ...layers.leafState?.(part.v) }, { rem } = room, { columns: wide = 1,
        rows = 1 } = found.upper?.picture ?? {};
      const flat = !found.lower || found.upper?.text !== undefined || wide > 3 * rows; // one above the other
      mark(part, flat ? "parameter flat" : "parameter", found);
      const size = { width: flat ? width : (width - 0.4 * rem) / 2, height: (found.lower && flat ? 0.95 : 2.1) * rem, most: 14 };
      showHalf(part.upper, found.upper, size);
      showHalf(part.lower, found.lower, size);
    },
  };

  function mark({ element, tag }, name, found) {
    element.className = `${name} ${found.state ?? ""}`;
    tag.textContent = found.tag ?? "";
    tag.hidden = !found.tag;
  }

  function drawLinks({ carries, backward }) {
    if (room.narrow) return lines.replaceChildren();
    const { offsetLeft, offsetTop } = row, placeOf = ({ offsetLeft: x, offsetTop: y, offsetWidth, offsetHeight }) => (
      { left: offsetLeft + x, right: offsetLeft + x + offsetWidth, top: offsetTop + y, high: offsetHeight });
    const places = all(".layer:not(.data)", row).map(placeOf), data = find(".layer.data", row);
    lines.setAttribute("width", room.width);
    lines.setAttribute("height", room.height);
    const holds = ({ box, more }, v) => v !== undefined && [box ?? more].flat().some(one => one.holds.includes(v));
    const linked = linksOf(things, inputs).map(([from, to]) => {
      const back = backward && holds(things[to], backward.child) && holds(things[from], backward.current);
      const { box, more } = things[from];
      return { from: places[from], to: places[to], far: to - from > 1, name: back ? "back" : carries?.((box ?? more.at(-1)).shows) ? "on"
        : "" };
    });
    if (data && places[0]) linked.push({ from: placeOf(data), to: places[0], far: false, name: "" });
    lines.replaceChildren(...linked.flatMap(arrow));
  }

  function resized() {
    measure();
    draw();
  }

  new ResizeObserver(resized).observe(root);
  new ResizeObserver(() => draw()).observe(said);
  listen("resize", () => {
    tight = 0;
    resized();
  });
  return {
    show(frame) {
      const isOther = frame.act !== last?.act;
      root.hidden = !frame.layers;
      document.body.classList.toggle("network", !!frame.layers);
      last = frame.layers ? frame : null;
      if (!last) return;
      if (isOther) tight = 0;
      if (isOther || !room?.width) measure(); // each act gives the panel another height
      draw();
    },
  };
}

// Return what a box shows of an array at another place: its numbers, and the changes of those that `moved`; `still` if none did.
export function boxOfChange(before, array, shape, moved, { largest = undefined, still = null } = {}) {
  if (array.length === 1)
    return {
      state: moved ? "hot" : "", tag: moved ? signed(array[0] - before[0], 3) : "",
      upper: { text: boxNumber(array[0]), kind: moved ? "happened" : "" },
      lower: moved ? { text: `was ${boxNumber(before[0])}`, kind: "quiet" } : null,
    };
  return {
    state: moved ? "hot" : "", tag: moved ? `${moved.toLocaleString("en")} of ${array.length.toLocaleString("en")}` : "",
    upper: arrayHalf(array, shape, { label: "now", largest }),
    lower: moved ? arrayHalf(array.map((x, k) => x - before[k]), shape, { label: "change", kind: "happened" }) : still,
  };
}

// An arrow between neighbours, which may lead back; between others a bow over the boxes.
function arrow({ from, to, far, name }) {
  if (far) {
    const x1 = from.right - 14, x2 = to.left + 14, high = Math.min(from.top - 4, 13);
    return [svg("path", { class: `line ${name}`,
      d: `M${x1} ${from.top}C${x1} ${from.top - high} ${x2} ${to.top - high} ${x2} ${to.top}` })];
  }
  const y = from.top + 0.5 * Math.min(from.high, to.high);
  const [line, head] = name === "back"
    ? [`M${to.left} ${y}H${from.right + 7}`, `M${from.right} ${y}l8 -4.5v9z`]
    : [`M${from.right} ${y}H${to.left - 7}`, `M${to.left} ${y}l-8 -4.5v9z`];
  return [svg("path", { class: `line ${name}`, d: line }), svg("path", { class: `head ${name}`, d: head })];
}

// Return how wide a column is, compared with others: pictures of many columns need more.
function weightOf(shape) {
  const { matrices, columns: count } = gridOf(shape), cells = Math.min(count, MOST_CELLS) * Math.min(matrices, 2);
  return cells <= 1 ? 1 : Math.min(1.35, 0.8 + cells / 24);
}

// A shape without the axes of length 1 in front.
const trimmed = shape => {
  const from = shape.findIndex(n => n > 1);
  return from < 0 ? [1] : shape.slice(Math.min(from, shape.length - 1));
};

// A number as a box has room for it.
export const boxNumber = x => inRoom(digits(x, 4), x, MOST_LETTERS);

// What a box shows of an array: a number, or a picture. `looks` are {label, kind, largest, rings, digitsOf}.
/** @param {{ label?: string, kind?: string, largest?: number, rings?: number[], digitsOf?: (x: number) => string }} looks */
export function arrayHalf(array, shape, looks = {}) {
  const { label, kind, largest, rings, digitsOf = boxNumber } = looks;
  if (array.length === 1) return { label, kind, text: digitsOf(array[0]) };
  const cells = new Cells(shape), isRow = array.length <= SMALL && cells.rows === 1;
  const marked = rings?.map(entry => cells.cellOf(entry));
  return { label, kind, picture: pictureOf(cells, array, largest), rings: marked, stretch: isRow ? 1.4 : 1 };
}
