// Draw what is in view. Only that is in the document. Names stay readable: far away they are cut, not shrunk.

import { find, svg } from "../dom.js";
import { layout } from "../folding/layout.js";
import { isScope, scopeOf } from "../folding/model.js";
import { routes } from "../folding/routes.js";
import { TITLE } from "../folding/sizes.js";

const FAR = 0.28, NEAR = 0.88; // below FAR all boxes are one shape; from NEAR on a box shows all its lines
const NAME = 15, SMALLEST = 12, MARGIN = 0.5, LETTER = 0.66; // font sizes; share of the window that is drawn around it; width of a letter
const CLOSEST = 3, FARTHEST = 0.02;

const SIDES = 20, LETTERS = "neuron 0123456789 gradient", ARIAL = 169; // pixels of a box beside its text; the width of LETTERS at 13 pixels

// How much wider the browser's letters are than those of Arial, for which Python computed the widths.
function stretch() {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "13px Arial, Helvetica, sans-serif";
  return Math.max(1, pen.measureText(LETTERS).width / ARIAL);
}

// Return the data of a page with boxes that are wide enough for this browser's letters.
export function stretched(data) {
  const factor = stretch();
  for (const box of [...data.nodes, ...data.scopes]) if (box.wide) box.wide = SIDES + (box.wide - SIDES) * factor;
  return data;
}

// Return a name without its middle: the end tells neuron11 from neuron12.
function shortened(name, most) {
  const end = Math.min(3, Math.floor(most / 3));
  return `${name.slice(0, Math.max(most - 1 - end, 1))}…${end ? name.slice(-end) : ""}`;
}

export class Picture {
  world = find("#world");
  x = 0; // the window's left and upper end, and the scale
  y = 0;
  scale = 1;
  drawn = new Map(); // what is in the document
  chosen = null;
  lit = new Set(); // the nodes on the paths from what is chosen to z

  constructor(model, view) {
    this.model = model;
    this.view = view;
    this.arrange();
  }

  // Lay the graph out again.
  arrange() {
    const { places, lanes } = layout(this.model, this.size);
    this.places = places;
    this.routes = routes(this.model, { places, lanes });
    this.order = [...places.keys()]; // a scope before what it holds
    this.redraw();
  }

  get size() {
    return { wide: this.view.clientWidth, high: this.view.clientHeight };
  }

  // What is in the window, in the coordinates of the layout; `more` is a share of the window on each side.
  window(more = 0) {
    const { wide, high } = this.size, [w, h] = [wide / this.scale, high / this.scale];
    return {
      left: -this.x / this.scale - more * w, top: -this.y / this.scale - more * h, right: -this.x / this.scale + (1 + more) * w,
      bottom: -this.y / this.scale + (1 + more) * h,
    };
  }

  // Draw in the next frame: move the picture, and change what is in the document if the window has left what is drawn.
  show() {
    this.asked ??= requestAnimationFrame(() => { this.asked = null; this.draw(); });
  }

  redraw() {
    this.fresh = null;
    this.show();
  }

  draw() {
    this.world.setAttribute("transform", `translate(${this.x.toFixed(2)} ${this.y.toFixed(2)}) scale(${this.scale.toFixed(4)})`);
    const now = this.window(), was = this.fresh;
    const stays = was && now.left >= was.left && now.right <= was.right && now.top >= was.top && now.bottom <= was.bottom;
    if (stays && Math.abs(Math.log(this.scale / was.scale)) < 0.2 && this.level() === was.level) return;
    this.fresh = { ...this.window(MARGIN), scale: this.scale, level: this.level() };
    this.fill();
  }

  level() {
    return this.scale < FAR ? 0 : this.scale < NEAR ? 1 : 2;
  }

  // Put into the document what is in view.
  fill() {
    const wanted = this.fresh.level ? this.near() : this.far();
    for (const [key, { element }] of this.drawn) if (!wanted.has(key)) { element.remove(); this.drawn.delete(key); }
    let last = null;
    for (const [key, [look, make]] of wanted) {
      const old = this.drawn.get(key);
      if (!old || old.look !== look) {
        old?.element.remove();
        this.drawn.set(key, { element: make(), look });
      }
      const { element } = this.drawn.get(key);
      if (element !== (last ? last.nextSibling : this.world.firstChild)) last ? last.after(element) : this.world.prepend(element);
      last = element;
    }
  }

  // Return Map(key → [look, make]) of the boxes and lines in view: open scopes, lines, then all other boxes.
  near() {
    const { left, top, right, bottom, level, scale } = this.fresh, wanted = new Map();
    const seen = ({ x, y, wide, high }) => x <= right && x + wide >= left && y <= bottom && y + high >= top;
    const things = this.order.filter(thing => seen(this.places.get(thing)));
    const box = thing => {
      const at = this.places.get(thing), marks = this.marks(thing);
      wanted.set(`box ${thing}`, [
        [at.x, at.y, at.wide, at.high, marks, level, level === 2 || scale.toFixed(2)].join(), () => this.box(thing, at, marks),
      ]);
    };
    things.filter(thing => this.isOpen(thing)).forEach(box);
    for (const route of this.routes) {
      if (route.left > right || route.right < left || route.top > bottom || route.bottom < top) continue;
      const lit = this.isLit(route), look = `edge${lit ? " lit" : ""}`;
      wanted.set(`line ${route.a} ${route.b}`, [
        look + route.path,
        () => svg("path", { class: look, d: route.path, "stroke-width": lit ? null : Math.min(1 + Math.log2(route.uses.length) / 2, 5) }),
      ]);
    }
    things.filter(thing => !this.isOpen(thing)).forEach(box);
    return wanted;
  }

  // The same from far away: one shape for all boxes, one for all lines, one for all that is lit.
  far() {
    const shape = at => `M${at.x} ${at.y}h${at.wide}v${at.high}h${-at.wide}z`, lit = [], rest = [], open = [];
    for (const [thing, at] of this.places) (this.isOpen(thing) ? open : this.marks(thing) ? lit : rest).push(shape(at));
    const lines = this.routes.map(route => route.path), litLines = this.routes.filter(route => this.isLit(route)).map(route => route.path);
    const parts = { "far edges open": open, "far edges": lines, "far edges lit": litLines, "far boxes": rest, "far boxes lit": lit };
    const state = `${this.fresh.scale.toFixed(3)} ${this.lit.size} ${this.chosen}`, wanted = new Map();
    for (const [look, paths] of Object.entries(parts))
      wanted.set(look, [`${paths.length} ${paths[0]} ${state}`, () => svg("path", { class: look, d: paths.join("") })]);
    return wanted;
  }

  isOpen(thing) {
    return isScope(thing) && this.model.open.has(scopeOf(thing));
  }

  isLit({ uses }) {
    return this.lit.size > 0 && uses.some(([x, y]) => this.lit.has(x) && this.lit.has(y));
  }

  marks(thing) {
    if (thing === this.chosen) return "chosen";
    if (this.isOpen(thing) || !this.litThings?.has(thing)) return "";
    return "lit";
  }

  // Choose a thing, or nothing: light its paths to z.
  choose(thing) {
    this.chosen = thing;
    this.lit = thing === null ? new Set() : this.model.leading(thing);
    this.light();
  }

  light() {
    this.litThings = new Set([...this.lit].map(v => this.model.shown(v)));
    this.view.classList.toggle("lit-path", this.lit.size > 0);
    this.redraw();
  }

  // One box

  box(thing, at, marks) {
    const { nodes, scopes } = this.model, open = this.isOpen(thing);
    const kind = isScope(thing) ? `scope${open ? " open" : ""}` : `${nodes[thing].kind} ${nodes[thing].mark ?? ""}`;
    const group = svg("g", { class: `box ${kind} ${marks}`, transform: `translate(${at.x} ${at.y})`, "data-thing": thing });
    group.append(svg("rect", { class: "frame", width: at.wide, height: at.high, rx: isScope(thing) ? 12 : 8 }));
    const sign = nodes[thing]?.sign;
    if (sign)
      group.append(svg("rect", { class: `slope ${sign > 0 ? "positive" : "negative"}`, x: 0, y: 8, width: 4, height: at.high - 16 }));
    const { name, lines = [] } = isScope(thing) ? scopes[scopeOf(thing)] : nodes[thing];
    if (isScope(thing)) group.append(svg("path", { class: "fold", d: `M${at.wide - 22} 16h10${open ? "" : "m-5 -5v10"}` }));
    this.texts(group, at, name, open ? [] : lines, isScope(thing) ? 26 : 10);
    return group;
  }

  texts(group, { wide, high }, name, lines, room) {
    const close = this.fresh.level === 2, size = close ? NAME : Math.max(NAME, SMALLEST / this.fresh.scale);
    const most = Math.floor((wide - room) / (size * LETTER)), text = name.length > most ? shortened(name, most) : name;
    const title = svg("text", { class: "name", x: 10, y: close ? 21 : lines.length ? high / 2 + size / 3 : Math.max(21, size) }, text);
    if (!close) title.style.fontSize = `${size}px`;
    group.append(title, ...(text === name ? [] : [svg("title", {}, name)]));
    if (close) lines.forEach((line, k) => group.append(svg("text", { class: "line", x: 10, y: 40 + 17 * k }, line)));
  }

  // The window

  moveBy(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.show();
  }

  // Zoom so that the point (x, y) of the window stays where it is.
  zoom(factor, x = this.size.wide / 2, y = this.size.high / 2) {
    const scale = Math.min(Math.max(this.scale * factor, FARTHEST), CLOSEST);
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.show();
  }

  bounds() {
    const all = [...this.places.values()], low = key => Math.min(...all.map(at => at[key]));
    const far = (key, size) => Math.max(...all.map(at => at[key] + at[size]));
    return { left: low("x"), top: low("y"), right: far("x", "wide"), bottom: far("y", "high") };
  }

  // Show the whole graph, but not smaller than `least`.
  whole(least = FARTHEST) {
    const { left, top, right, bottom } = this.bounds(), { wide, high } = this.size, edge = 24;
    this.scale = Math.max(least, Math.min(1.25, (wide - 2 * edge) / (right - left), (high - 2 * edge) / (bottom - top)));
    this.x = (wide - (left + right) * this.scale) / 2;
    this.y = (high - (top + bottom) * this.scale) / 2;
    this.show();
  }

  // Move the window, if it must, so that a thing is in it, or its beginning if it is larger; with `centre`, to its middle.
  bring(thing, centre = false) {
    const at = this.places.get(thing), { wide, high } = this.size, room = 20;
    if (!at) return;
    if (this.scale < 0.7) this.zoom(0.9 / this.scale);
    const [left, top, w, h] = [at.x * this.scale + this.x, at.y * this.scale + this.y, at.wide * this.scale, at.high * this.scale];
    const shift = (begin, size, whole) =>
      centre && size <= whole
        ? (whole - size) / 2 - begin
        : begin < room || size > whole - 2 * room
          ? room - begin
          : begin + size > whole - room
            ? whole - room - begin - size
            : 0;
    this.moveBy(shift(left, w, wide), shift(top, h, high));
  }

  // The innermost thing at a point of the window, or null.
  at(x, y) {
    const [px, py] = [(x - this.x) / this.scale, (y - this.y) / this.scale];
    return (
      this.order.findLast(thing => {
        const p = this.places.get(thing);
        return px >= p.x && px <= p.x + p.wide && py >= p.y && py <= p.y + p.high;
      }) ?? null
    );
  }

  // Whether a point of the window is in the title of an open scope.
  inTitle(thing, y) {
    return (y - this.y) / this.scale - this.places.get(thing).y < TITLE;
  }
}
