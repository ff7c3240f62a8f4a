// The box of a variable in the graph. It is drawn once; a step changes its classes, numbers and tag.

const HEAD = 43, FOOT = 30, ROW = 24, CORNER = 9; // of a box, in pixels of the scene; box_sizes.py uses the same

function paintNode(run, box, id, onPick, written) {
  const { variable: v } = box, variable = run.variables[v], shape = variable.shape.length ? variable.shape.join("×") : null;
  const parts = drawNode(run, box, id), { group, value, total, count } = parts;
  value.classList.toggle("shape", shape !== null);
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
      const sum = frame.totals.get(v), q = sum && run.quantities[sum.quantity];
      const now = { act: frame.act, valued: frame.valued(v), quantity: sum?.quantity, final: sum?.final, label: frame.tags.get(v), count: frame.counts.get(v) };
      for (const [name, on] of Object.entries(classesOf(v, frame, now))) group.classList.toggle(name, !!on);
      if (Object.keys(now).every(key => shown[key] === now[key])) return;
      shown = now;
      value.textContent = shape ?? (now.valued ? written(variable.text) : "?");
      mathText(total, frame.act === "forward" || box.head ? [] : box.value ? variable.totalLabel : [...variable.totalLabel, [" = ", ""]]);
      if (frame.act === "backward" && !box.value) total.append(svg("tspan", { class: "number" }, q ? written(q.text) + (sum.final ? "" : " …") : "?"));
      if (box.value) {
        fillTable(parts.valueTable, now.valued ? variable : null, box.value, box.columns, variable.data);
        fillTable(parts.totalTable, q, box.total, box.columns, q?.number);
      }
      writeTag(parts, box, now.label ?? "");
      count.textContent = now.count ?? "";
      group.setAttribute("aria-label", spoken(run, v, shape, now, q));
    },
  };
}

function classesOf(v, { current, active, onPath, put }, { quantity, final, label, count }) {
  return { current: v === current, child: label !== undefined && v !== current, active: v === active, done: !!final,
    dim: current !== undefined && label === undefined && !onPath.has(v), sum: quantity !== undefined && !final,
    waits: count > 0, counted: count !== undefined, fresh: v === put };
}

// The parts of a box, and those that change: {group, value, total, tag, tagBox, count, valueTable, totalTable}.
function drawNode(run, box, id) {
  const { variable: v, w, h } = box, variable = run.variables[v], broken = run.notFinite?.variable === v;
  const text = (name, x, y, anchor = "start") => svg("text", { class: name, x, y, "text-anchor": anchor });
  const beside = box.value?.y < HEAD; // a small array is beside its name, and its gradient beside dz/dx
  const middle = ({ y, h }) => y + h / 2 + 7;
  const head = box.head ?? HEAD, side = box.head ? 8 : 14;
  const foot = !box.value ? head : beside ? h / 2 : box.total.y - FOOT; // where the band begins
  const value = beside ? text("value", box.value.x - 14, middle(box.value), "end") : text("value", w - side, 0.7 * head, "end");
  const total = beside ? text("total", 14, middle(box.total)) : text("total", w / 2, foot + (box.head ? 20 : 21), "middle");
  const tag = text("tag-text", w / 2, 4.5, "middle"), tagBox = svg("rect", { class: "tag-box", y: -10, height: 20, rx: 10 }), count = text("count-text", 0, 5, "middle");
  const table = area => svg("g", { class: "entries", transform: `translate(${area.x} ${area.y})` });
  const valueTable = box.value && table(box.value), totalTable = box.value && table(box.total);
  const kind = `${variable.function === null ? "input" : "made"}${broken ? " not-finite" : ""}`;
  const group = svg("g", { id, class: `node ${kind}`, transform: `translate(${box.x - w / 2} ${box.y - h / 2})`, tabindex: 0, role: "button" },
    svg("title", {}, variable.equation ? `${variable.name} = ${variable.equation} = ${variable.text}` : `${variable.name} = ${variable.text}`),
    svg("rect", { class: "halo", x: -5, y: -5, width: w + 10, height: h + 10, rx: CORNER + 5 }),
    svg("rect", { class: "box", width: w, height: h, rx: CORNER }),
    svg("path", { class: "band", d: `M0 ${foot}H${w}V${h - CORNER}a${CORNER} ${CORNER} 0 0 1-${CORNER} ${CORNER}H${CORNER}a${CORNER} ${CORNER} 0 0 1-${CORNER}-${CORNER}z` }),
    svg("rect", { class: "frame", width: w, height: h, rx: CORNER }),
    mathText(text("name", side, beside ? middle(box.value) : 0.7 * head), variable.label),
    value, total);
  if (variable.equation && box.pad > 10) group.append(mathText(text("formula", w / 2, h + (box.head ? 16 : 18), "middle"), fitting(variable.formulaLabel, box.head ? 1.15 * w : Math.max(1.1 * w, 300))));
  if (box.value) group.append(valueTable, totalTable);
  group.append(svg("g", { class: "tag", transform: `translate(0 ${box.head ? -5 : 0})` }, tagBox, tag), svg("g", { class: "count", transform: `translate(${w - 4} 0)` }, svg("circle", { r: 13 }), count));
  if (broken) group.append(svg("g", { class: "broken", transform: `translate(4 ${h - 4})` }, svg("circle", { r: 12 }), svg("text", { y: 6, "text-anchor": "middle" }, "!")));
  if (run.scalarGraphs?.[v]) group.append(magnifier(v, w - 2, h - 2));
  return { group, value, total, tag, tagBox, count, valueTable, totalTable };
}

function writeTag({ tag, tagBox }, box, label) {
  const wide = 16 + (box.head ? 9 : 7.6) * label.length;
  tag.textContent = label;
  tagBox.setAttribute("x", (box.w - wide) / 2);
  tagBox.setAttribute("width", wide);
}

// What a screen reader says of a variable.
function spoken(run, v, shape, { valued, final, label, count }, q) {
  const { name, text } = run.variables[v];
  return [
    `${name}${shape ? ` of shape ${shape}` : ""}`,
    `value ${valued ? text : "not known yet"}`,
    q ? `derivative ${q.text}${final ? "" : ", not complete yet"}` : "derivative not known yet",
    ...(run.notFinite?.variable === v ? ["the first value that is not finite"] : []),
    ...(label ? [label] : []),
    ...(count > 0 ? [`contributions missing: ${count}`] : []),
  ].join(", ");
}

// A magnifying glass at the corner of a function whose scalar graph can be opened.
function magnifier(v, x, y) {
  return svg("g", { class: "zoom", "data-variable": v, transform: `translate(${x} ${y})` },
    svg("title", {}, "zoom in"), svg("circle", { r: 12 }), svg("path", { d: "M-5-1a4 4 0 1 0 8 0a4 4 0 1 0-8 0M2 2L6 6" }));
}

// The entries of a small array, coloured by sign and size; for a large array, a line of statistics.
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

// Return as much of a formula as there is room for, with thin spaces around each ·.
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
