// What the page knows of the thing that is pointed at, or else chosen.

import { BAR_ROOM, MATRIX_GAP, paintPicture } from "../arrays/picture.js";
import { button, html, svg } from "../dom.js";
import { isScope, scopeOf } from "../folding/model.js";

function bytes(n) {
  if (n < 1000) return `${n} ${n === 1 ? "byte" : "bytes"}`;
  const [size, unit] = n < 1e6 ? [1e3, "kB"] : n < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${(n / size).toPrecision(3)} ${unit}`;
}

const count = (n, noun) => `${n < 1e15 ? n.toLocaleString("en") : `about ${n.toPrecision(3)}`} ${noun}${n === 1 ? "" : "s"}`;
const CELL = 12, PICTURE = 192, SMALLEST_CELL = 2, FONT = 12, MOST_BUTTONS = 12; // pixels

export class Details {
  constructor(model, element, go) {
    this.model = model;
    this.element = element;
    this.go = go;
  }

  show(thing) {
    if (thing === null) this.element.replaceChildren(html("p", {}, "Point at a box, or choose it, to see what it holds."));
    else this.element.replaceChildren(...(isScope(thing) ? this.scope(thing) : this.node(thing)));
  }

  // One sentence, for who cannot see the picture.
  sentence(thing) {
    const { nodes, scopes, open } = this.model;
    if (isScope(thing))
      return `scope ${scopes[scopeOf(thing)].name}, ${open.has(scopeOf(thing)) ? "open" : "closed"}: ${scopes[scopeOf(thing)].sentence}`;
    const { name, kind, formula, remark, line, code, numbers = "", total, gradient } = nodes[thing];
    return [
      `${kind === "node" ? "function" : kind} ${name}`, formula, remark, line && `${line}: ${code}`, numbers,
      total && !gradient.startsWith("‖") ? `${total} = ${gradient}` : gradient,
    ].filter(Boolean).join("; ");
  }

  scope(thing) {
    const { scopes, open, chains } = this.model, scope = scopeOf(thing), { blocks, bytes: size } = this.model.memory(thing);
    const turn = button(() => this.go(thing, true), {}, open.has(scope) ? "close" : "open");
    return [html("h2", {}, scopes[scope].name), html("p", {}, turn), listOf([
      ["scope", chains[scope].slice(1).map(inner => scopes[inner].name).join(" / ")],
      ["holds", scopes[scope].sentence],
      ["saved for the backward pass", blocks ? `${bytes(size)} in ${count(blocks, "array")}` : null],
    ])];
  }

  node(thing) {
    const node = this.model.nodes[thing], { chains, scopes } = this.model;
    const outputs = [...new Set(this.model.outputs[thing])], z = this.model.nodes[this.model.z]?.name ?? "z";
    return [
      html("h2", {}, node.name),
      listOf([
        ["kind", { node: "function", function: "computed variable", input: "input variable", constant: "constant" }[node.kind]],
        ["formula", node.formula],
        ["remark", node.remark],
        ["derivative", node.derivative],
        [node.line, node.code && html("code", {}, node.code)],
        ["shape", node.shape],
        [node.shape ? "numbers" : "value", node.numbers],
        ["", drawn(node.picture, "picture of the numbers")],
        [gradientOf(node), node.gradient],
        ["", drawn(node.slope, "picture of the gradient")],
        ["saved for the backward pass", this.saved(thing)],
        [`paths to ${z}`, thing === this.model.z ? `this is ${z}` : count(this.model.paths[thing], "path")],
        ["scope", chains[node.scope].slice(1).map(inner => scopes[inner].name).join(" / ")],
        ["inputs", this.buttons([...new Set(node.inputs)])],
        ["used by", this.buttons(outputs)],
      ]),
    ];
  }

  saved(thing) {
    const { saved = [], kind } = this.model.nodes[thing];
    if (kind !== "function") return null;
    if (!saved.length) return "nothing";
    const lines = saved.map(([name, shape, size]) =>
      html("tr", {}, html("td", {}, name), html("td", {}, shape), html("td", {}, size ? bytes(size) : "")),
    );
    return html("div", {},
      html("table", {}, html("tbody", {}, ...lines)),
      this.model.memory(thing).blocks ? `${bytes(this.model.memory(thing).bytes)} in total` : "");
  }

  buttons(nodes) {
    if (!nodes.length) return null;
    const made = nodes.slice(0, MOST_BUTTONS).map(v => button(() => this.go(v), {}, this.model.nodes[v].name));
    return html("div", {},
      ...made, nodes.length > MOST_BUTTONS ? `and ${count(nodes.length - MOST_BUTTONS, "more")}`.replace("mores", "more") : "");
  }
}

// What stands before the gradient of a variable.
function gradientOf({ total, shape, gradient }) {
  if (total === "grad") return "gradient that .grad holds";
  return total && shape ? `gradient ${total}` : total ?? (gradient ? "gradient" : "");
}

function listOf(pairs) {
  return html("dl", {},
    ...pairs.filter(([, said]) => said).flatMap(([term, said]) => [...(term ? [html("dt", {}, term)] : []), html("dd", {}, said)]));
}

// Return the picture of an array with its scale, or null.
function drawn(picture, label) {
  if (!picture) return null;
  const { cells, columns, across, labels, note = "" } = picture, down = Math.ceil(cells.length / across), rows = cells[0].length / columns;
  const cell = Math.max(SMALLEST_CELL, Math.min(CELL, (PICTURE - MATRIX_GAP * across) / (across * columns), PICTURE / (down * rows)));
  const wide = Math.max(PICTURE, across * (columns * cell + MATRIX_GAP));
  const high = down * (rows * cell + MATRIX_GAP) + BAR_ROOM + (note ? 3 : 1.5) * FONT;
  const said = [label, labels.join(" to "), note].filter(Boolean).join(", ");
  return svg(
    "svg", { width: wide + 2, height: high, viewBox: `-1 -1 ${wide + 2} ${high}`, class: "array", role: "img", "aria-label": said },
    ...paintPicture(picture, wide, cell, FONT),
  );
}
