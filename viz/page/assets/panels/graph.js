// The graph: painted once from the scene, then only classes, labels and numbers change from step to step.

const HEAD = 43, FOOT = 30, ROW = 24, CORNER = 9; // of a box, in pixels of the scene; the scene counts with the same
const SMALL = 0.4, LARGER = 0.5, AHEAD = 0.25; // see fitPhone

// Paint the whole graph of a run, or the neighbourhood of the current variable. A click on a variable goes to its iteration.
panels.graph = (panel, run, player) => {
  const root = svg("svg", { id: "graph", role: "group", "aria-label": "computation graph" });
  panel.prepend(root);
  let painted = null, nodes = [], edges = [], stops = new Set();

  function paint(scene) {
    painted = scene;
    root.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    root.classList.toggle("compact", !!scene.compact);
    const written = scene.compact ? brief : text => text;
    edges = scene.edges.map(place => paintEdge(run, place, `edge-${place.edge}`, written));
    nodes = scene.nodes.map(place => paintNode(run, place, `node-${place.variable}`, player.pick, written));
    root.replaceChildren(
      svg("defs", {}, ...["plain", "child", "active"].map(arrowHead)),
      svg("g", { class: "links" }, ...(scene.links ?? []).map(({ path }) => svg("path", { class: "link", d: path }))),
      svg("g", {}, ...(scene.folds ?? []).map(paintFold)),
      svg("g", {}, ...edges.map(edge => edge.group)),
      svg("g", {}, ...nodes.map(node => node.group)),
      ...(scene.compact ? [mathText(svg("text", { class: "legend", x: 14, y: scene.height - 10 }), legend(run))] : []));
    fitPhone(root, scene);
    markStops(stops);
  }

  function arrowHead(name) {
    return svg("marker", { id: `arrow-${name}`, class: `arrow ${name}`, viewBox: "0 0 10 10", refX: 9.5, refY: 5,
      markerWidth: 13, markerHeight: 13, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 1L10 5L0 9L2 5z" }));
  }

  function markStops(marked) {
    stops = marked;
    nodes.forEach(({ group, variable }) => group.classList.toggle("stop", marked.has(variable)));
  }

  listen("resize", () => painted && fitPhone(root, painted));

  return {
    markStops,
    show(frame) {
      if (frame.scene !== painted) paint(frame.scene);
      nodes.forEach(node => node.show(frame));
      edges.forEach(edge => edge.show(frame));
      bringToView(root, painted, frame.current);
    },
  };
};

// On a narrow page a graph that would be smaller than SMALL is LARGER, and can be moved sideways; x is brought to view,
// with room for its children. For the sake of what stands below, none is smaller than LARGER.
function fitPhone(root, { width, height }) {
  const small = SMALL * width > root.parentNode.clientWidth;
  root.style.setProperty("--least", small ? `${LARGER * width}px` : 0);
  root.style.setProperty("--low", `${LARGER * height}px`);
  root.parentNode.classList.toggle("sideways", small);
}

function bringToView(root, { nodes, width }, current) {
  const box = nodes.find(({ variable }) => variable === current);
  if (box && root.parentNode.classList.contains("sideways"))
    root.parentNode.scrollLeft = box.x / width * root.clientWidth - AHEAD * root.parentNode.clientWidth;
}

// Variables that are not shown, counted.
function paintFold({ x, y, w, h, lines }) {
  return svg("g", { class: "fold", transform: `translate(${x} ${y})` },
    svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: CORNER }),
    ...lines.map((line, k) => svg("text", { y: 20 * (k - (lines.length - 1) / 2) + 5, "text-anchor": "middle" }, line)));
}

function paintNode(run, box, id, onPick, written) {
  const { variable: v, w, h } = box, variable = run.variables[v], left = box.x - w / 2, top = box.y - h / 2;
  const shape = variable.shape.length ? variable.shape.join("×") : null;
  const text = (name, x, y, anchor = "start") => svg("text", { class: name, x, y, "text-anchor": anchor });
  const beside = box.value?.y < HEAD; // a small array stands beside the name, its gradient beside dz/dx
  const middle = ({ y, h }) => y + h / 2 + 7;
  const head = box.head ?? HEAD, side = box.head ? 8 : 14;
  const foot = !box.value ? head : beside ? h / 2 : box.total.y - FOOT; // where the band begins
  const value = beside ? text("value", box.value.x - 14, middle(box.value), "end") : text("value", w - side, 0.7 * head, "end");
  const total = beside ? text("total", 14, middle(box.total)) : text("total", w / 2, foot + (box.head ? 20 : 21), "middle");
  value.classList.toggle("shape", shape !== null);
  const tag = text("tag-text", w / 2, 4.5, "middle"), count = text("count-text", 0, 5, "middle");
  const tagBox = svg("rect", { class: "tag-box", y: -10, height: 20, rx: 10 });
  const group = svg("g", { id, class: `node ${variable.function === null ? "input" : "made"}${run.notFinite?.variable === v ? " not-finite" : ""}`, transform: `translate(${left} ${top})`, tabindex: 0, role: "button" },
    svg("title", {}, variable.equation ? `${variable.name} = ${variable.equation} = ${variable.text}` : `${variable.name} = ${variable.text}`),
    svg("rect", { class: "halo", x: -5, y: -5, width: w + 10, height: h + 10, rx: CORNER + 5 }),
    svg("rect", { class: "box", width: w, height: h, rx: CORNER }),
    svg("path", { class: "band", d: `M0 ${foot}H${w}V${h - CORNER}a${CORNER} ${CORNER} 0 0 1-${CORNER} ${CORNER}H${CORNER}a${CORNER} ${CORNER} 0 0 1-${CORNER}-${CORNER}z` }),
    svg("rect", { class: "frame", width: w, height: h, rx: CORNER }),
    mathText(text("name", side, beside ? middle(box.value) : 0.7 * head), variable.label),
    value, total);
  if (variable.equation && box.pad > 10) group.append(mathText(text("formula", w / 2, h + (box.head ? 16 : 18), "middle"), fitting(variable.formulaLabel, box.head ? 1.15 * w : Math.max(1.1 * w, 300))));
  const valueTable = box.value && svg("g", { class: "entries", transform: `translate(${box.value.x} ${box.value.y})` });
  const totalTable = box.value && svg("g", { class: "entries", transform: `translate(${box.total.x} ${box.total.y})` });
  if (box.value) group.append(valueTable, totalTable);
  group.append(svg("g", { class: "tag", transform: `translate(0 ${box.head ? -5 : 0})` }, tagBox, tag), svg("g", { class: "count", transform: `translate(${w - 4} 0)` }, svg("circle", { r: 13 }), count));
  if (run.notFinite?.variable === v) group.append(svg("g", { class: "broken", transform: `translate(4 ${h - 4})` }, svg("circle", { r: 12 }), svg("text", { y: 6, "text-anchor": "middle" }, "!")));
  if (run.scalarGraphs?.[v]) group.append(magnifier(v, w - 2, h - 2));
  group.addEventListener("click", () => onPick(v));
  group.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPick(v);
  });
  let shown = {};

  return {
    group,
    variable: v,
    show(frame) {
      const { tags, totals, current } = frame, sum = totals.get(v), label = tags.get(v);
      const stands = { valued: frame.valued(v), quantity: sum?.quantity, final: sum?.final, label, count: frame.counts.get(v) };
      const far = current !== undefined && label === undefined && !frame.onPath.has(v);
      const classes = { current: v === current, child: label !== undefined && v !== current, active: v === frame.active, done: !!sum?.final, dim: far,
        sum: sum && !sum.final, waits: stands.count > 0, counted: stands.count !== undefined, fresh: v === frame.put };
      for (const [name, on] of Object.entries(classes)) group.classList.toggle(name, !!on);
      if (Object.keys(stands).every(key => shown[key] === stands[key]) && shown.act === frame.act) return;
      shown = { ...stands, act: frame.act };
      const q = sum && run.quantities[sum.quantity];
      value.textContent = shape ?? (stands.valued ? written(variable.text) : "?");
      mathText(total, frame.act === "forward" || box.head ? [] : box.value ? variable.totalLabel : [...variable.totalLabel, [" = ", ""]]);
      if (frame.act === "backward" && !box.value) total.append(svg("tspan", { class: "number" }, q ? written(q.text) + (sum.final ? "" : " …") : "?"));
      if (box.value) {
        fillTable(valueTable, stands.valued ? variable : null, box.value, box.columns, variable.data);
        fillTable(totalTable, q, box.total, box.columns, q?.number);
      }
      tag.textContent = label ?? "";
      const wide = 16 + (box.head ? 9 : 7.6) * (label ?? "").length;
      tagBox.setAttribute("x", (w - wide) / 2);
      tagBox.setAttribute("width", wide);
      count.textContent = stands.count ?? "";
      const said = q ? `derivative ${q.text}${sum.final ? "" : ", not complete yet"}` : "derivative not known yet";
      const waits = stands.count > 0 ? `, contributions missing: ${stands.count}` : "";
      group.setAttribute("aria-label", `${variable.name}${shape ? ` of shape ${shape}` : ""}, value ${stands.valued ? variable.text : "not known yet"}, ${said}${run.notFinite?.variable === v ? ", the first value that is not finite" : ""}${label ? `, ${label}` : ""}${waits}`);
    },
  };
}

// A magnifying glass at the corner of a function whose scalar graph can be opened.
function magnifier(v, x, y) {
  return svg("g", { class: "zoom", "data-variable": v, transform: `translate(${x} ${y})` },
    svg("title", {}, "zoom in"), svg("circle", { r: 12 }), svg("path", { d: "M-5-1a4 4 0 1 0 8 0a4 4 0 1 0-8 0M2 2L6 6" }));
}

// The entries of a small array, each on a tint by its sign and size; of a large one a line that sums it up.
function fillTable(table, found, area, columns, numbers) {
  table.replaceChildren();
  if (!found) return;
  if (!found.cells) return void table.append(svg("text", { x: area.w / 2, y: 18, "text-anchor": "middle" }, found.summary ?? found.text));
  const rows = typeof numbers?.[0] === "number" ? [numbers] : numbers ?? [];
  const largest = Math.max(...rows.flat().map(Math.abs).filter(Number.isFinite), 0) || 1;
  found.cells.forEach((row, i) => {
    let x = 0;
    row.forEach((cell, j) => {
      const number = rows[i]?.[j] ?? 0;
      table.append(
        svg("rect", { class: number > 0 ? "positive" : number < 0 ? "negative" : "zero", x: x + 1, y: i * ROW + 1, width: columns[j] - 2, height: ROW - 2, rx: 3,
          "fill-opacity": (0.15 + 0.6 * Math.min(1, Math.abs(number) / largest)).toFixed(2) }),
        svg("text", { x: x + columns[j] - 6, y: i * ROW + 17.5, "text-anchor": "end" }, cell));
      x += columns[j];
    });
  });
}

function paintEdge(run, { edge: e, path, label: box, number: which }, id, written) {
  const edge = run.edges[e], number = run.quantities[edge.partial]?.text;
  const group = svg("g", { id, class: "edge" },
    svg("title", {}, `${edge.text}${number ? ` = ${number}` : ""}`),
    svg("path", { class: "line", d: path }), svg("path", { class: "flow", d: path }));
  if (box) {
    const stacked = box.h > 40, line = y => svg("text", { y, "text-anchor": "middle" });
    const text = line(stacked ? -3 : 7), more = stacked ? line(17) : text;
    mathText(text, run.tensors || stacked ? edge.label : [...edge.label, [" = ", ""]]);
    if (stacked) more.append("= ");
    if (!run.tensors) more.append(svg("tspan", { class: "number" }, written(number)));
    if (which !== null && !run.tensors) more.append(svg("tspan", { class: "which" }, `  (${which})`));
    group.append(svg("g", { class: "label", transform: `translate(${box.x} ${box.y})` },
      svg("rect", { x: -box.w / 2, y: -box.h / 2, width: box.w, height: box.h, rx: 6 }), ...new Set([text, more])));
  }
  const line = group.children[1];
  let shown = ""; // its classes; to set what is set already would cost the browser a layout
  return {
    group,
    show(frame) {
      const on = frame.edges.has(e), active = frame.atWork.has(e);
      const classes = { child: on, active, done: on && !active && frame.known.has(e), dim: frame.current !== undefined && !on, flowing: active && frame.flowing,
        forward: frame.act === "forward" };
      const names = ["edge", ...(run.notFinite?.edge === e ? ["not-finite"] : []), ...Object.keys(classes).filter(name => classes[name])].join(" ");
      if (names === shown) return;
      const wasOn = shown.includes("child");
      shown = names;
      group.setAttribute("class", names);
      line.setAttribute("marker-end", `url(#arrow-${active ? "active" : on ? "child" : "plain"})`);
      if (on && !wasOn) group.parentNode.append(group); // above what is dimmed
    },
  };
}

// Texts of the graph

// A formula as far as there is room, with air around each ·.
function fitting(runs, width) {
  let room = Math.floor(width / 9);
  const fits = runs.reduce((length, [text]) => length + [...text].length, 0) <= room, found = [];
  for (const [text, kind] of runs) {
    const letters = [...text].slice(0, fits ? undefined : Math.max(room - 1, 0));
    room -= letters.length;
    if (letters.length) found.push([letters.join("").replaceAll("·", "\u2009·\u2009"), kind]);
  }
  return fits ? found : [...found, ["…", ""]];
}

const legend = run => [["below each value: its derivative ", ""], ["\u{1d451}", ""], ...run.variables[run.z].label, ["/\u{1d451}…", ""]];
// A number to four digits, where there is little room; the scene counts with the same.
const brief = text => {
  const found = text.replace(/^(−?)(\d+\.\d+)/, (_, sign, digits) => sign + Number(digits).toPrecision(Math.max(4, digits.indexOf("."))));
  return found.length < text.length ? found : text;
};
