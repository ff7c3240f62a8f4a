// The page: pointers and keys move the window, choose things, open and close scopes.

import { writeAddress } from "../address.js";
import { all, find, html, keyHelp } from "../dom.js";
import { Model, isScope, scopeOf } from "../folding/model.js";
import { Details } from "./details.js";
import { Picture, stretched } from "./picture.js";
import { Search } from "./search.js";

const KEYS = [
  ["→ ←", "to what uses the variable, to its input"], ["↑ ↓", "to the box above, below"], ["Enter", "open or close the scope"],
  ["Backspace", "close the scope around"], ["+ −", "zoom"], ["Shift + arrows", "move the picture"], ["0", "show the whole graph"],
  ["C", "close all scopes"], ["Z", "go to z"], ["/", "search"], ["Esc", "choose nothing"], ["?", "show or hide the keys"],
];
const STEP = 80, CLICK = 5; // pixels: of a key; a pointer that moved less has clicked
const READABLE = 0.55; // the least scale of the first view

export class Explorer {
  constructor(data) {
    this.model = new Model(stretched(data));
    this.view = find("#view");
    this.picture = new Picture(this.model, this.view);
    this.details = new Details(this.model, find("#chosen"), (thing, turn) => turn ? this.turn(thing) : this.go(thing));
    this.search = new Search(this.model, thing => { this.go(thing); this.view.focus(); });
    find("#about").textContent = this.model.about;
    find("#help").append(html("dl", {}, ...KEYS.map(([keys, text]) => keyHelp(keys.split(" "), text))));
    this.buttons();
    this.pointers();
    this.view.addEventListener("keydown", event => this.key(event));
    addEventListener("keydown", event => this.anywhere(event));
    new ResizeObserver(() => this.picture.redraw()).observe(this.view);
    this.details.show(null);
    this.start();
    addEventListener("hashchange", () => this.followAddress());
    this.followAddress();
  }

  // The address names what is chosen, and which scopes are open.
  followAddress() {
    const [, thing, open] = /^#chosen=(-?\d*)&open=([\d,]*)$/.exec(location.hash) ?? [];
    if (open === undefined) return;
    this.model.open = new Set(open.split(",").map(Number));
    this.picture.arrange();
    if (this.picture.places.has(+thing) && thing) this.bringTo(+thing);
    else this.choose(null);
  }

  start() {
    this.picture.whole(READABLE);
    const z = this.model.z === null ? null : this.model.shown(this.model.z), { left, right } = this.picture.bounds();
    if ((right - left) * this.picture.scale > this.picture.size.wide && z !== null) this.picture.bring(z);
  }

  // Choose a thing and bring it into view. Scopes around it open.
  go(thing) {
    this.model.reveal(thing);
    this.picture.arrange();
    this.choose(thing);
    this.picture.bring(thing, true);
  }

  choose(thing) {
    this.picture.choose(thing);
    this.details.show(thing);
    writeAddress(`#chosen=${thing ?? ""}&open=${[...this.model.open]}`);
    find("#said").textContent = thing === null ? "" : this.details.sentence(thing);
  }

  // Open or close a scope. Its corner stays where it is, if there is room.
  turn(thing) {
    const { picture } = this, before = picture.places.get(thing);
    this.model.toggle(scopeOf(thing));
    picture.arrange();
    const after = picture.places.get(thing);
    if (before && after) picture.moveBy((before.x - after.x) * picture.scale, (before.y - after.y) * picture.scale);
    if (after) picture.bring(thing);
    this.choose(thing);
  }

  closeAll() {
    this.model.open = new Set([0]);
    this.picture.arrange();
    this.choose(null);
    this.picture.whole(READABLE);
  }

  buttons() {
    const press = (id, act) => find(id).addEventListener("click", act);
    press("#nearer", () => this.picture.zoom(1.3));
    press("#closer", () => this.picture.zoom(1 / 1.3));
    press("#whole", () => this.picture.whole());
    press("#shut", () => this.closeAll());
    press("#keys", () => this.help());
  }

  help() {
    const help = find("#help");
    help.hidden = !help.hidden;
    find("#keys").setAttribute("aria-expanded", !help.hidden);
  }

  // Pointers: one moves the picture, two zoom; a click chooses, opens, closes.
  pointers() {
    const down = new Map(), { view, picture } = this;
    const place = event => { const box = view.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    view.addEventListener("pointerdown", event => {
      down.set(event.pointerId, place(event));
      view.setPointerCapture(event.pointerId);
      this.moved = down.size > 1 ? CLICK : 0;
    });
    view.addEventListener("pointermove", event => {
      const at = place(event), was = down.get(event.pointerId);
      if (!was) return this.hover(picture.at(...at));
      this.drag(down, event.pointerId, was, at);
    });
    const up = event => {
      const was = down.get(event.pointerId);
      down.delete(event.pointerId);
      view.classList.remove("grabbing");
      if (was && event.type === "pointerup" && this.moved < CLICK) this.click(...place(event));
    };
    view.addEventListener("pointerup", up);
    view.addEventListener("pointercancel", up);
    view.addEventListener("pointerleave", () => this.hover(null));
    view.addEventListener("wheel", event => {
      event.preventDefault();
      picture.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018) * (event.deltaMode ? 20 : 1)), ...place(event));
    }, { passive: false });
  }

  drag(down, id, was, at) {
    const other = [...down].find(([key]) => key !== id)?.[1];
    if (other) {
      const spread = ([x, y]) => Math.hypot(x - other[0], y - other[1]), middle = ([x, y]) => [(x + other[0]) / 2, (y + other[1]) / 2];
      const [mx, my] = middle(at), [wx, wy] = middle(was);
      this.picture.zoom(spread(at) / Math.max(spread(was), 1), wx, wy);
      this.picture.moveBy(mx - wx, my - wy);
    } else {
      this.moved += Math.hypot(at[0] - was[0], at[1] - was[1]);
      if (this.moved >= CLICK) { this.view.classList.add("grabbing"); this.picture.moveBy(at[0] - was[0], at[1] - was[1]); }
    }
    if (other || this.moved >= CLICK) down.set(id, at);
  }

  click(x, y) {
    const { picture, model } = this, thing = picture.at(x, y);
    if (thing === null || !isScope(thing)) return this.choose(thing);
    if (!model.open.has(scopeOf(thing)) || picture.inTitle(thing, y)) this.turn(thing);
    else this.choose(thing);
  }

  hover(thing) {
    if (thing === this.hovered) return;
    this.hovered = thing;
    for (const box of all(".box.hovered")) box.classList.remove("hovered");
    if (thing !== null) find(`[data-thing="${thing}"]`)?.classList.add("hovered");
    this.details.show(thing ?? this.picture.chosen);
  }

  // Keys

  key(event) {
    const { picture } = this, thing = picture.chosen;
    const arrow = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow && event.shiftKey) picture.moveBy(-arrow[0] * STEP, -arrow[1] * STEP);
    else if (arrow) this.step(arrow);
    else if (event.key === "Enter" || event.key === " ") {
      if (thing !== null && isScope(thing)) {
        this.turn(thing);
        picture.bring(thing);
      }
    } else if (event.key === "Backspace") this.closeAround(thing);
    else if (event.key === "+" || event.key === "=") picture.zoom(1.3);
    else if (event.key === "-") picture.zoom(1 / 1.3);
    else if (event.key === "0") picture.whole();
    else if (event.key === "Escape") this.choose(null);
    else if (event.key === "c") this.closeAll();
    else if (event.key === "z" && this.model.z !== null) this.go(this.model.z);
    else return;
    event.preventDefault();
  }

  anywhere(event) {
    if (event.target.matches?.("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { find("#query").focus(); event.preventDefault(); }
    if (event.key === "?") this.help();
  }

  // Choose a neighbour: the nearest that uses the thing (→), that it uses (←), or that stands above or below.
  step([dx, dy]) {
    const { picture, model } = this, thing = picture.chosen;
    if (thing === null || !picture.places.has(thing)) return this.bringTo(this.first());
    const linked = picture.routes.filter(({ a, b }) => dx > 0 ? a === thing : b === thing).map(({ a, b }) => dx > 0 ? b : a);
    const inside =
      isScope(thing) && model.open.has(scopeOf(thing)) ? picture.order.filter(other => model.around(other) === scopeOf(thing)) : [];
    const next = dx
      ? this.nearest(thing, linked.length ? linked : inside, () => true)
      : this.nearest(thing, picture.order, other => this.isBeyond(thing, other, dy));
    if (next !== undefined) this.bringTo(next);
  }

  first() {
    return this.model.z === null ? this.picture.order.at(-1) : this.model.shown(this.model.z);
  }

  bringTo(thing) {
    this.choose(thing);
    this.picture.bring(thing);
  }

  middle(thing) {
    const { x, y, wide, high } = this.picture.places.get(thing);
    return [x + wide / 2, y + high / 2];
  }

  // Whether another thing stands below (dy = 1) or above, rather than beside.
  isBeyond(thing, other, dy) {
    const [[x, y], [ox, oy]] = [this.middle(thing), this.middle(other)];
    return other !== thing && !this.picture.isOpen(other) && (oy - y) * dy > 1 && Math.abs(ox - x) < 2 * Math.abs(oy - y) + 40;
  }

  nearest(thing, things, fits) {
    const [x, y] = this.middle(thing), far = other => { const [ox, oy] = this.middle(other); return Math.hypot(ox - x, oy - y); };
    return things.filter(fits).sort((a, b) => far(a) - far(b))[0];
  }

  closeAround(thing) {
    if (thing === null) return;
    const scope = isScope(thing) && this.model.open.has(scopeOf(thing)) ? scopeOf(thing) : this.model.around(thing);
    if (scope) { this.turn(-1 - scope); this.picture.bring(-1 - scope); }
  }
}
