// A large graph folded by scope: which scopes are open, and the scene that shows them. The layout of explore's page arranges it.

import { find, made, mathText, svg } from "../dom.js";
import { layout } from "../folding/layout.js";
import { Model, isScope, scopeOf } from "../folding/model.js";
import { routes } from "../folding/routes.js";
import { paintEdge } from "./edges.js";
import { CORNER, TAG, writeTag } from "./nodes.js";

const BESIDE_LABEL = 30, LEAST_ACROSS = 90, MOST_ACROSS = 230; // room beside the label of an edge; between ranks
const HIGHEST = 640; // of a rank, in units of the scene; things of a higher one stand beside each other
const AROUND_ALL = 24, BETWEEN_ROWS = 60; // around the graph; between its rows
const STEADY = 60; // a window that changes by less shows the same arrangement
const ROUND = 24; // the end of a turn, which stays free of labels
const HANDLE = 30, UNDER_TAG = 10; // the height of the title of an open scope; room below the tag of a closed one

// Return { sceneFor(width), turn(scope) }. Which scopes are open stays with the data, so that it survives another player.
/** @param {Run} run */
export function makeFolded(run) {
  const { boxes, scopes } = run.folded;
  const nodes = boxes.map(({ w, h, pad }, v) => ({
    inputs: run.variables[v].inputs, scope: run.folded.scopeOf[v], wide: w, high: h + 2 * pad,
  }));
  const model = new Model({ nodes, scopes, z: run.z });
  const rooms = roomsForLabels(run, model), across = scope => rooms[scope];
  const holds = scopes.map((_, scope) => new Set(model.nodesIn(-1 - scope)));
  let scene = null, key = "", window = 0;
  model.open = run.folded.open ??= model.open;

  return {
    // Return the scene for a window of this width, in units of the scene: its rows fit into it, if a box alone does. It is the same object
    // as long as nothing changes.
    sceneFor(wide) {
      if (Math.abs(wide - window) > STEADY) window = wide;
      const now = [window, ...model.open].join(), screen = { wide: window - 2 * AROUND_ALL, high: Infinity };
      if (now !== key)
        [key, scene] = [
          now, foldedScene(run, model, holds, layout(model, screen, { across, between: BETWEEN_ROWS, edge: AROUND_ALL, highest: HIGHEST })),
        ];
      return scene;
    },
    turn: scope => model.toggle(scope),
  };
}

// Return for each scope the room between its ranks: for the widest label of the lines that may have it there.
function roomsForLabels(run, model) {
  const rooms = model.scopes.map(() => LEAST_ACROSS);
  run.edges.forEach(({ input, output }, e) => {
    const around = model.chains[model.nodes[run.scatters ? input : output].scope], { scope } = model.meeting(input, output);
    const room = run.folded.labels[e][0] + BESIDE_LABEL;
    for (const inner of around.slice(around.indexOf(scope))) rooms[inner] = Math.max(rooms[inner], Math.min(room, MOST_ACROSS));
  });
  return rooms;
}

// Return the scene of an arrangement: as of a small graph, with closed scopes, and with lines that stand for several edges.
function foldedScene(run, model, holds, found) {
  const { boxes, labels, numbers, scopes, look } = run.folded, which = new Map(numbers), things = [...found.places];
  const box = ({ x, y, wide, high }) => ({ x: x + wide / 2, y: y + high / 2, w: wide, h: high, pad: 0 });
  const scopesThat = areOpen =>
    things
      .map(([thing, at]) => [scopeOf(thing), at])
      .filter(([scope]) => scope > 0 && model.open.has(scope) === areOpen)
      .map(([scope, at]) => ({ ...scopes[scope], scope, holds: holds[scope], ...box(at) }));
  return {
    look,
    width: Math.max(...things.map(([, { x, wide }]) => x + wide)) + AROUND_ALL,
    height: Math.max(...things.map(([, { y, high }]) => y + high)) + AROUND_ALL,
    nodes: things.filter(([thing]) => !isScope(thing)).map(([v, at]) => ({ ...box(at), ...boxes[v], variable: v })),
    closed: scopesThat(false),
    frames: scopesThat(true),
    edges: routes(model, found).map(({ uses, path, points }) => {
      const edges = [...new Set(uses.flatMap(([x, y]) => run.edgesInto[y].filter(e => run.edges[e].input === x)))];
      const place = e => ({
        edge: e, path, label: { ...labelOn(points, run.scatters, labels[e]), w: labels[e][0], h: labels[e][1] },
        number: which.get(e) ?? null,
      });
      return edges.length > 1 || turnOf(points) > 0 ? { edges, place, turns: turnOf(points) > 0 } : place(edges[0]);
    }),
  };
}

// Return the place of a label: on the first or the last piece of a line, where the lines of one variable are apart. On a line that turns to
// another row it is between the rows.
function labelOn(points, first, [wide]) {
  const k = turnOf(points), aside = wide / 2 + ROUND;
  if (k > 0) return { x: first ? points[k - 1][0] - aside : points[k][0] + aside, y: points[k][1] };
  const [[ax, ay], [bx, by]] = first ? points.slice(0, 2) : points.slice(-2);
  return { x: (ax + bx) / 2, y: (ay + by) / 2 };
}

// Return the end of the piece of a line that leads back to the left, to the next row; −1 if there is none.
const turnOf = points => points.findIndex(([x], k) => k && x < points[k - 1][0]);

// A line for several edges, or one that turns. It shows that edge which a step looks at. Lines that turn have their labels at one place,
// so that only the active one is shown.
/** @param {Run} run */
export function paintBundle(run, { edges, place, turns }, look, explain) {
  const [group, way] = [0, 0].map(() => svg("g", { class: `${edges.length > 1 ? "bundle" : ""} ${turns ? "turns" : ""}` }));
  let inner = null, shown;
  return {
    group, way,
    get factor() { return inner?.factor; },
    get line() { return inner?.line; },
    show(frame) {
      const carrying = frame.carrying ? edges.filter(edge => frame.carrying.has(edge)) : [];
      const first = marked => edges.find(edge => marked.has(edge));
      const e = first(frame.atWork) ?? carrying[0] ?? first(frame.edges) ?? edges[0];
      if (e !== shown) {
        inner = paintEdge(run, place(e), `edge-${e}`, look, explain);
        if (edges.length > 1) find("title", inner.way).textContent = `${edges.length} edges`;
        group.replaceChildren(inner.group);
        way.replaceChildren(inner.way);
        shown = e;
      }
      inner.show(carrying.length > 1 ? { ...frame, factors: new Map() } : frame);
    },
  };
}

// Let a click, Enter or the space bar open or close a scope.
function turnedBy(group, scope, isOpen, turn) {
  made(group, { id: `scope-${scope}`, tabindex: -1, role: "button", "aria-expanded": isOpen }, []);
  group.addEventListener("click", () => turn(scope));
  group.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation(); // the space bar would play
    turn(scope);
  });
  return group;
}

// The frame of an open scope. Its title closes it.
export function paintOpen({ scope, name, variables, x, y, w, h }, turn) {
  const handle = svg("g", { class: "handle", "aria-label": `scope ${name}, ${variables}` },
    svg("title", {}, `close ${name}`), svg("rect", { width: w, height: HANDLE, rx: CORNER }),
    svg("text", { x: w / 2, y: 20, "text-anchor": "middle" }, name), svg("path", { class: "sign", d: `M${w - 24} 15h12` }));
  return svg("g", { class: "scope", transform: `translate(${x - w / 2} ${y - h / 2})` },
    svg("rect", { width: w, height: h, rx: CORNER }), turnedBy(handle, scope, true, turn));
}

// The box of a closed scope: its name, what it holds, and which of its variables the step looks at.
/** @param {Run} run */
export function paintClosed(run, box, turn, look) {
  const { scope, name, variables, count, holds, w, h } = box, { head, foot, side, fonts } = look;
  const text = (kind, x, y, anchor, said = "") => svg("text", { class: kind, x, y, "text-anchor": anchor }, said);
  const high = TAG * fonts.tag, tag = text("tag-text", w / 2, 0.35 * fonts.tag, "middle");
  const tagBox = svg("rect", { class: "tag-box", y: -high / 2, height: high, rx: high / 2 });
  const line = text("line", side, UNDER_TAG + head + fonts.cell, "start");
  const sum = text("sum", w / 2, h - foot / 2 + 0.32 * fonts.total, "middle");
  const group = svg("g", { class: "closed", transform: `translate(${box.x - w / 2} ${box.y - h / 2})` },
    svg("title", {}, `open ${name}`), svg("rect", { class: "halo", x: -5, y: -5, width: w + 10, height: h + 10, rx: CORNER + 5 }),
    svg("rect", { class: "frame", width: w, height: h, rx: CORNER }), text("name", side, UNDER_TAG + 0.75 * head, "start", name), line,
    sum, svg("path", { class: "sign", d: `M${w - 24} ${UNDER_TAG + head / 2}h12m-6 -6v12` }), svg("g", { class: "tag" }, tagBox, tag));
  turnedBy(group, scope, false, turn);
  let before = "";

  return {
    group, holds,
    show(frame) {
      const now = insideOf(frame, holds), said = countOf(frame, holds, count), key = JSON.stringify([now, said]);
      if (key === before) return;
      before = key;
      group.setAttribute("class", ["closed", ...Object.keys(now.classes).filter(kind => now.classes[kind])].join(" "));
      sum.textContent = said;
      writeTag({ tag, tagBox }, box, now.label, look);
      const looked =
        now.variable === null
          ? null
          : [
              [now.variable === frame.current ? (run.scatters ? "y: " : "x: ") : run.scatters ? "x: " : "y: ", ""],
              ...run.variables[now.variable].label,
            ];
      const fits = looked && looked.reduce((letters, [part]) => letters + [...part].length, 0) * 0.55 * fonts.cell < w - 2 * side;
      mathText(line, fits ? looked : [[variables, ""]]);
      group.setAttribute("aria-label", ["scope " + name, variables, said, now.label].filter(Boolean).join(", "));
    },
  };
}

// Return what a frame marks within a scope: { label of the tag, variable that the step looks at, classes }.
function insideOf(frame, holds) {
  const tags = [...frame.tags].filter(([v]) => holds.has(v)), current = holds.has(frame.current), active = holds.has(frame.active);
  const own = current ? frame.current : active ? frame.active : null, [first] = tags;
  const several = own === null && tags.length > 1 && frame.act === "backward";
  return {
    variable: own,
    label: own !== null ? frame.tags.get(own) : several ? `${first[1]} … ${tags.at(-1)[1].split(" ").at(-1)}` : first?.[1] ?? "",
    classes: {
      current: current || [...(frame.lit ?? [])].some(v => holds.has(v)), child: !current && tags.length > 0, active: active && !current,
      done: holds.size > 0 && [...holds].every(v => frame.totals.get(v)?.final),
      dim: frame.current !== undefined && !tags.length && ![...frame.onPath].some(v => holds.has(v)),
    },
  };
}

// Return how many variables of a scope have a derivative, have changed, or have a value: what the act is about.
function countOf(frame, holds, count) {
  const many = has => [...holds].filter(has).length.toLocaleString("en");
  if (frame.act === "backward" || frame.totals.size)
    return `${many(v => frame.totals.get(v)?.final)} of ${count.toLocaleString("en")} computed`;
  if (frame.values) return `${many(v => frame.values.has(v))} of ${count.toLocaleString("en")} changed`;
  return `${many(v => frame.valued(v))} of ${count.toLocaleString("en")} values`;
}
