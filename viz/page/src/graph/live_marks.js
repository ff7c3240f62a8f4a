// What acts 2 and 4 add to the graph: new values and changes in the boxes, factors on the arrows, arrows at the inputs.

import { html, svg } from "../dom.js";
import { changeTexts } from "../numbers.js";
import { digits } from "../say.js";
import { BOLD, inRoom, widthOf, withinWidth } from "./brief_numbers.js";
import { bounded } from "./graph_window.js";

const FAITHFUL = 4; // digits of a former number, at least: 1.618 was not 2
const OFF = 0.002; // of a factor: how much of it is left out at most
const LOST = 0.1; // of a change: how much of it rounding may take
const GLASS = 13; // units of a box's right end that its magnifier covers
const ARROW = { least: 22, head: 7, above: 9, side: 4 }; // in units of the scene

// Add the parts of a box that show what has changed, and return a function that fills them. The magnifier of a box that `opens` covers
// its corner.
export function liveMarks(group, box, at, look, opens) {
  const { side, fonts } = look, left = side / 4, right = box.w - (opens ? GLASS : left), room = right - left;
  const was = svg("text", { class: "was", x: (left + right) / 2, y: at, "text-anchor": "middle" });
  const move = svg("g", { class: "move", transform: `translate(${box.w - ARROW.side} ${-ARROW.above})` });
  group.append(was, move);
  return ({ was: former, before, texts, arrow, text }) => {
    const found = former ? formerText(texts?.was ?? inFigures(former, before, text), before, room, look) : { text: "", size: fonts.total };
    was.textContent = found.text;
    was.style.fontSize = found.size < fonts.total ? `${found.size}px` : "";
    move.replaceChildren(...(arrow ? drawnArrow(arrow, box.w, fonts.tag) : []));
  };
}

// Return a former number with as many figures as the number `now`.
function inFigures(text, number, now) {
  const figures = digits(number, Math.max(FAITHFUL, significant(now ?? "")));
  return figures.length < text.length ? figures : text;
}

// Return "was 74.36" and its size: in smaller type or without "was" where there is less room.
function formerText(text, number, room, { fonts: { total, cell }, smallest }) {
  const size = [total, cell, smallest].find(high => widthOf(`was ${text}`) * high <= room);
  return size ? { text: `was ${text}`, size } : { text: withinWidth(text, number, room / cell, 1), size: cell };
}

// Return a function that gives the texts of a change as many decimals as the box has room for, at least those that tell the new number
// from the former one. Where it has no room for those that tell the change, the former number, `was`, is null.
export function changeInRoom(box, variable, written, { side, fonts, smallest }, opens) {
  const beside = roomOf(box, variable, side, fonts) + side, letters = lettersOf(box, variable, written, side, fonts);
  const room = box.w - side / 4 - (opens ? GLASS : side / 4);
  const hasRoom = ({ now }) => now.length <= letters || BOLD * widthOf(now) * fonts.value < beside;
  const hasRoomForBoth = texts => hasRoom(texts) && widthOf(`was ${texts.was}`) * smallest <= room;
  const shortened = (found, fits, before, number) => {
    while (!fits(found) && found.decimals > 0) {
      const shorter = changeTexts(before, number, found.decimals - 1);
      if (shorter.was === shorter.now || shorter.now === "0" || isLost(shorter.decimals, before, number)) break;
      found = shorter;
    }
    return found;
  };
  return ({ texts, before, number }) => {
    const found = shortened(texts, hasRoomForBoth, before, number);
    return found.exact ? found : { ...shortened(texts, hasRoom, before, number), was: null };
  };
}

// Return whether a number with so few decimals differs from itself by too much of its change: −0.56 was −0.43, not −1 was 0.
const isLost = (decimals, before, number) => Math.abs(+number.toFixed(Math.min(decimals, 100)) - number) > LOST * Math.abs(number - before);

// Return a function that writes a new number into a box: it has as many digits as there is room for beside the name, and at least
// those that tell it from the former number.
export function newText(box, variable, written, { side, fonts }) {
  const room = roomOf(box, variable, side, fonts), letters = lettersOf(box, variable, written, side, fonts);
  return ({ text, number, before }) => {
    const short = inRoom(text, number, letters), alike = count => digits(number, count) === digits(before, count);
    const told = [1, 2, 3, 4, 5, 6].find(count => !alike(count));
    if (told === undefined || toldApart(short, before)) return short;
    return BOLD * widthOf(digits(number, told)) * fonts.value < room + side ? digits(number, told) : short;
  };
}

// The width beside the name of a box, or below it, and the number of letters that fit there.
function roomOf(box, variable, side, fonts) {
  const name = variable.label.reduce((sum, [text, kind]) => sum + [...text].length * (kind ? 0.4 : 0.55), 0) * fonts.name;
  return box.under ? box.w - 2 * side : box.w - 3 * side - name;
}

const lettersOf = (box, variable, written, side, fonts) =>
  Math.max(written.length, Math.floor(roomOf(box, variable, side, fonts) / (0.64 * fonts.value)));

const significant = text => text.replace(/^−?[0.]*|e.*$/g, "").replace(".", "").length; // figures of a number as it is written

// Return whether a number that is written with so few digits differs from the other one, written with as many.
const toldApart = (text, other) => text !== digits(other, significant(text) || 1);

// An arrow above a box, as long as the derivative is large; its number stands at its left.
function drawnArrow({ length, right, text }, width, size) {
  const room = width - 2 * ARROW.side - 0.62 * size * text.length; // a small box has room for the arrow or its number only
  if (room < ARROW.least) text = "";
  const long = Math.max(ARROW.least, length * (text ? room : width - 2 * ARROW.side)), tip = right ? 0 : -long, tail = right ? -long : 0;
  const back = tip + (right ? -1 : 1) * ARROW.head * 1.6;
  const label = svg("text", { class: "tag-text", x: -long - 4, y: 0.35 * size, "text-anchor": "end" });
  label.textContent = text;
  return [
    svg("line", { x1: tail, x2: back, y1: 0, y2: 0 }), svg("path", { d: `M${back} ${-ARROW.head}L${tip} 0L${back} ${ARROW.head}z` }), label,
  ];
}

// Return a label for the factor of an arrow, and show(factor), which fills it. Where there is room, it says what arrives;
// on a narrow page there is none.
export function factorMark(box, { turned, fonts: { label: size } }, explain) {
  const text = svg("text", { y: 0.35 * size, "text-anchor": "middle" }), rect = svg("rect", { rx: 6, y: -0.75 * size, height: 1.5 * size });
  const group = svg("g", { class: "factor", transform: `translate(${box.x} ${box.y})`, tabindex: -1, role: "img" }, rect, text);
  const wide = said => size * (0.5 + BOLD * widthOf(said)), room = Math.floor((box.w / size - 0.8) / 0.56) - 2;
  let now = null, shown = "", width = 0;
  for (const event of ["pointerenter", "focus", "click"]) group.addEventListener(event, () => now && explain(group, now.why()));
  for (const event of ["pointerleave", "blur"]) group.addEventListener(event, () => explain(null));
  return {
    group, home: box,
    get shown() { return now; },
    get width() { return width; },
    height: 1.5 * size,
    show(factor) {
      now = factor;
      const key = `${factor?.text ?? factor?.number} ${factor?.carries}`;
      if (!factor || key === shown) return;
      shown = key;
      const times = factor.text ?? `× ${inRoom(digits(factor.number, 4), factor.number, Math.max(room, 4), OFF)}`;
      const both = wide(`${times} ${factor.carries ?? ""}`);
      const fits = !turned && factor.carries && both <= Math.max(box.w, wide(times)) + size;
      text.replaceChildren(times, ...(fits ? [svg("tspan", { class: "arrives", dx: 0.35 * size }, factor.carries)] : []));
      width = fits ? both : wide(times);
      rect.setAttribute("x", -width / 2);
      rect.setAttribute("width", width);
      group.setAttribute("aria-label", `${factor.text ?? `× ${digits(factor.number, 4)}`} ${factor.carries ?? ""}`);
    },
    // Move to a place on the line, or hide if there is none.
    moveTo(place) {
      group.classList.toggle("crowded", !place);
      if (place) group.setAttribute("transform", `translate(${place.x} ${place.y})`);
    },
  };
}

const ALONG = [...Array(13).keys()].map(k => 0.2 + 0.05 * k); // of an edge: where its factor may be
const LINE = 4, EVERYWHERE = [...Array(60).keys()].map(k => k / 60); // the width of a line; its points that a factor keeps away from
const meet = (a, b) => Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2;

// Place the factors on their edges, those that carry the nudge first: none covers a box, what sticks out of one of the
// `painted` boxes, or another factor, and no line that carries the nudge runs through the factor of another, if there is such a place. Of
// those that do not carry it, one without a place is hidden. All stay within the scene, which is so many units `across`.
export function arrangeFactors(edges, boxes, painted, across) {
  const taken = [...boxes.map(({ x, y, w, h, pad = 0 }) => ({ x, y, w, h: h + 2 * pad })), ...painted.flatMap(({ around }) => around)];
  const shown = edges.filter(({ factor }) => factor?.shown);
  const carries = edge => !!edge.factor.shown.carries, lit = shown.filter(carries), lines = lit.map(edge => [edge, pointsOf(edge)]);
  for (const edge of shown.sort((a, b) => +!carries(a) - +!carries(b))) {
    const { width: w, height: h } = edge.factor, free = ({ x, y }, from) => !from.some(box => meet(box, { x, y, w, h }));
    const within = placesOf(edge).map(({ x, y }) => ({ x: bounded(x, w / 2, across - w / 2), y }));
    const places = within.filter(place => free(place, taken));
    const alone = places.find(place => lines.every(([other, points]) => other === edge || free(place, points)));
    const place = alone ?? (carries(edge) ? places[0] : undefined);
    if (place) taken.push({ ...place, w, h });
    edge.factor.moveTo(place);
  }
}

const ruler = svg("path"); // outside the page, where measuring needs no layout

// Return the points at these parts of the line of an edge.
function pointsAt(edge, parts) {
  ruler.setAttribute("d", edge.line.getAttribute("d"));
  const long = ruler.getTotalLength();
  return parts.map(part => {
    const { x, y } = ruler.getPointAtLength(part * long);
    return { x, y };
  });
}

const pointsOf = edge => edge.points ??= pointsAt(edge, EVERYWHERE).map(point => ({ ...point, w: LINE, h: LINE }));

// Return the places of a factor, the best first: that of the edge's label, if it is on the line, then the nearest points of the line.
function placesOf(edge) {
  if (edge.places) return edge.places;
  const { home, height } = edge.factor, far = ({ x, y }) => Math.hypot(x - home.x, y - home.y);
  const points = pointsAt(edge, ALONG).sort((a, b) => far(a) - far(b));
  return (edge.places = far(points[0]) < height ? [home, ...points] : points);
}

// Return explain(element, text), which shows a text below an element of the panel; explain(null) hides it.
export function makeExplanation(panel) {
  const box = html("div", { id: "explain", role: "tooltip", hidden: "" });
  panel.append(box);
  return (element, text) => {
    box.hidden = !element;
    if (!element) return;
    box.replaceChildren(text);
    const around = panel.getBoundingClientRect(), { left, bottom } = element.getBoundingClientRect();
    box.style.left = `${Math.max(4, Math.min(left - around.left, around.width - box.offsetWidth - 4))}px`;
    box.style.top = `${Math.min(bottom - around.top + 6, around.height - box.offsetHeight - 4)}px`;
  };
}
