// The box of a variable in the graph. It is drawn once; a step changes its classes, numbers and tag.

const CORNER = 9, TAG = 1.35, LINE = 1.25, LETTER = 0.56; // the radius of a box's corners; in font sizes: the heights of a tag and of a line, the width of a letter

// `look` has the sizes of the scene's fonts and of the parts of its boxes: looks.py.
function paintNode(run, place, id, onPick, look) {
  const box = place.function ? afterFunction(place, look) : place;
  const { variable: v } = box, variable = run.variables[v], shape = variable.shape.length ? variable.shape.join("×") : null;
  const parts = drawNode(run, box, id, look), { group, value, total, count } = parts;
  value.classList.toggle("shape", shape !== null);
  if (place.function) group.append(...functionNode(run, place, box, look));
  group.addEventListener("click", event => onPick(v, event));
  group.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPick(v);
  });
  const showLive = liveMarks(group, box, +total.getAttribute("y"), look), liveText = newText(box, variable, briefly(variable.text, look), look);
  let shown = {};

  return {
    group,
    variable: v,
    show(frame) {
      const sum = frame.totals.get(v), q = sum && run.quantities[sum.quantity], live = frame.values?.get(v);
      const now = { act: frame.act, valued: frame.valued(v), quantity: sum?.quantity, final: sum?.final, label: frame.tags.get(v), count: frame.counts.get(v),
        ...live, arrow: frame.arrows?.get(v), nudged: v === frame.nudged };
      for (const [name, on] of Object.entries(classesOf(v, frame, now))) group.classList.toggle(name, !!on);
      if (Object.keys({ ...shown, ...now }).every(key => Object.is(shown[key], now[key]))) return;
      shown = now;
      const derivative = frame.act === "backward" || sum; // whether the box shows its derivative
      value.textContent = shape ?? (now.text ? liveText(now.moved ? now : { ...now, text: briefly(now.text, look) }) : now.valued ? briefly(variable.text, look) : "?");
      mathText(total, now.below?.label ? [[now.below.label, ""]] : !derivative || look.compact ? [] : box.value ? variable.totalLabel : [...variable.totalLabel, [look.turned ? "=" : " = ", ""]]);
      if (derivative && !box.value) total.append(svg("tspan", { class: "number" }, q ? briefly(now.total ?? q.text, look) + (sum.final ? "" : look.turned ? "…" : " …") : "?"));
      if (box.value) {
        fillTable(parts.valueTable, now.array ?? (now.valued ? variable : null), box.value, box, look);
        fillTable(parts.totalTable, now.below ?? q, box.total, box, look);
      }
      showLive(now);
      writeTag(parts, box, now.label ?? now.change ?? "", look);
      count.textContent = now.count ?? "";
      group.setAttribute("aria-label", spoken(run, v, shape, now, q));
    },
  };
}

function classesOf(v, { current, active, onPath, put, lit }, { quantity, final, label, count, change, moved, nudged }) {
  const isCurrent = v === current || !!lit?.has(v); // `lit` are the variables that an act without a current variable looks at
  return { current: isCurrent, child: label !== undefined && !isCurrent, active: v === active, done: !!final,
    dim: current !== undefined && label === undefined && !onPath.has(v), sum: quantity !== undefined && !final,
    waits: count > 0, counted: count !== undefined, fresh: v === put, moved: !!moved, nudged, changed: !!change };
}

// The parts of a box, and those that change: {group, value, total, tag, tagBox, count, valueTable, totalTable}.
function drawNode(run, box, id, look) {
  const { variable: v, w, h, split } = box, variable = run.variables[v], broken = run.notFinite?.variable === v, { head, foot: below, side, fonts } = look;
  const text = (name, x, y, anchor = "start") => svg("text", { class: name, x, y, "text-anchor": anchor });
  const beside = box.value?.y < head; // a small array is beside its name, and its gradient beside dz/dx
  const middle = ({ y, h }) => y + h / 2 + 7;
  const foot = !box.value ? head : beside ? h / 2 : box.total.y - below; // where the band begins
  const value = beside ? text("value", box.value.x - side, middle(box.value), "end") : text("value", (split ?? w) - side, 0.7 * head, "end");
  const total = beside ? text("total", side, middle(box.total)) : split ? text("total", (split + w) / 2, 0.7 * head, "middle")
    : text("total", w / 2, foot + below / 2 + 0.32 * fonts.total, "middle");
  const high = TAG * fonts.tag, tag = text("tag-text", 0, 0.35 * fonts.tag, "middle"), tagBox = svg("rect", { class: "tag-box", y: -high / 2, height: high, rx: high / 2 });
  const count = text("count-text", 0, 6, "middle");
  const table = area => svg("g", { class: "entries", transform: `translate(${area.x} ${area.y})` });
  const valueTable = box.value && table(box.value), totalTable = box.value && table(box.total);
  const kind = `${variable.function === null ? "input" : "made"}${broken ? " not-finite" : ""}`;
  const group = svg("g", { id, class: `node ${kind}`, transform: `translate(${box.x - w / 2} ${box.y - h / 2})`, tabindex: 0, role: "button" },
    svg("title", {}, variable.equation ? `${variable.name} = ${variable.equation} = ${variable.text}` : `${variable.name} = ${variable.text}`),
    svg("rect", { class: "halo", x: -5, y: -5, width: w + 10, height: h + 10, rx: CORNER + 5 }),
    svg("rect", { class: "box", width: w, height: h, rx: CORNER }),
    svg("path", { class: "band", d: split ? `M${split} 0H${w - CORNER}a${CORNER} ${CORNER} 0 0 1 ${CORNER} ${CORNER}V${h - CORNER}a${CORNER} ${CORNER} 0 0 1-${CORNER} ${CORNER}H${split}z` : `M0 ${foot}H${w}V${h - CORNER}a${CORNER} ${CORNER} 0 0 1-${CORNER} ${CORNER}H${CORNER}a${CORNER} ${CORNER} 0 0 1-${CORNER}-${CORNER}z` }),
    svg("rect", { class: "frame", width: w, height: h, rx: CORNER }),
    mathText(text("name", side, beside ? middle(box.value) : 0.7 * head), variable.label),
    value, total);
  if (variable.equation && !box.function) group.append(mathText(text("formula", w / 2, h + 0.95 * fonts.formula, "middle"), fitting(variable.formulaLabel, look.turned ? 1.1 * w : look.compact ? 1.15 * w : Math.max(1.1 * w, 300), fonts.formula)));
  if (box.value) group.append(valueTable, totalTable);
  group.append(svg("g", { class: "tag", transform: `translate(0 ${-high * (look.compact ? 0.3 : 0.17)})` }, tagBox, tag), svg("g", { class: "count", transform: `translate(${w - 4} 0)` }, svg("circle", { r: 14 }), count));
  if (broken) group.append(svg("g", { class: "broken", transform: `translate(4 ${h - 4})` }, svg("circle", { r: 12 }), svg("text", { y: 6, "text-anchor": "middle" }, "!")));
  if (run.scalarGraphs?.[v]) group.append(magnifier(v, w - 2, h - 2));
  return { group, value, total, tag, tagBox, count, valueTable, totalTable };
}

// Write a tag in the middle of a box, or beside it where the scene ends.
function writeTag({ tag, tagBox }, box, label, { fonts, across }) {
  const wide = fonts.tag * (1 + 0.61 * label.length), middle = bounded(box.x, wide / 2, across - wide / 2) - box.x + box.w / 2;
  tag.textContent = label;
  tag.parentNode.classList.toggle("empty", !label);
  tag.setAttribute("x", middle);
  tagBox.setAttribute("x", middle - wide / 2);
  tagBox.setAttribute("width", wide);
}

// What a screen reader says of a variable.
function spoken(run, v, shape, { valued, final, label, count, change, text: now, total }, q) {
  const { name, text } = run.variables[v];
  return [
    `${name}${shape ? ` of shape ${shape}` : ""}`,
    `value ${valued ? now ?? text : "not known yet"}`,
    q ? `derivative ${total ?? q.text}${final ? "" : ", not complete yet"}` : "derivative not known yet",
    ...(run.notFinite?.variable === v ? ["the first value that is not finite"] : []),
    ...(label ? [label] : []),
    ...(change ? [`changed by ${change}`] : []),
    ...(count > 0 ? [`contributions missing: ${count}`] : []),
  ].join(", ");
}

// A magnifying glass at the corner of a function whose scalar graph can be opened.
function magnifier(v, x, y) {
  return svg("g", { class: "zoom", "data-variable": v, transform: `translate(${x} ${y})` },
    svg("title", {}, "zoom in"), svg("circle", { r: 12 }), svg("path", { d: "M-5-1a4 4 0 1 0 8 0a4 4 0 1 0-8 0M2 2L6 6" }));
}

// The entries of a small array, coloured by sign and size; for a large array, a picture. `marks` are classes of entries.
function fillTable(table, found, area, { columns, cell, w: across, split = 0 }, { row: high, side, fonts }) {
  table.replaceChildren();
  delete table.dataset.array;
  if (!found) return;
  if (found.array !== undefined) table.dataset.array = found.array;
  if (found.picture) return void table.append(...paintPicture(found.picture, area.w, cell, fonts.cell));
  if (found.lines) return void table.append(...linesIn(found.lines, area, across - split - side, fonts.cell));
  if (!found.cells) return void table.append(svg("text", { x: area.w / 2, y: fonts.cell, "text-anchor": "middle" }, found.summary ?? found.text));
  const numbers = found.data ?? found.number;
  const rows = typeof numbers?.[0] === "number" ? [numbers] : numbers ?? [];
  const largest = Math.max(...rows.flat().map(Math.abs).filter(Number.isFinite), 0) || 1;
  found.cells.forEach((row, i) => {
    let x = 0;
    row.forEach((cell, j) => {
      const number = rows[i]?.[j] ?? 0, mark = found.marks?.[i][j] ?? "";
      table.append(
        svg("rect", { class: `${number > 0 ? "positive" : number < 0 ? "negative" : "zero"} ${mark}`, x: x + 1, y: i * high + 1, width: columns[j] - 2, height: high - 2, rx: 3,
          "fill-opacity": (0.15 + 0.6 * Math.min(1, Math.abs(number) / largest)).toFixed(2) }),
        svg("text", { x: x + columns[j] - 6, y: i * high + high / 2 + 0.36 * fonts.cell, "text-anchor": "end", class: mark }, found.marks ? inRoom(cell, number, Math.floor((columns[j] - 8) / (0.55 * fonts.cell))) : cell));
      x += columns[j];
    });
  });
}

// Return lines of text, as many as there is room for. Of each line [long, short] the first that fits is shown.
function linesIn(lines, { w, h }, room, size) {
  const most = Math.max(1, Math.floor(h / (LINE * size))), letters = Math.floor(room / (LETTER * size)), shown = lines.length > most ? [...lines.slice(0, most - 1), ["…"]] : lines;
  return shown.map((ways, k) => svg("text", { x: w / 2, y: (k + 0.8) * LINE * size, "text-anchor": "middle" }, ways.find(way => way.length <= letters) ?? ways.at(-1)));
}

// Return as much of a formula as there is room for, with thin spaces around each ·.
function fitting(runs, width, size) {
  let room = Math.floor(width / (0.47 * size));
  const fits = runs.reduce((length, [text]) => length + [...text].length, 0) <= room, found = [];
  for (const [text, kind] of runs) {
    const letters = [...text].slice(0, fits ? undefined : Math.max(room - 1, 0));
    room -= letters.length;
    if (letters.length) found.push([letters.join("").replaceAll("·", "\u2009·\u2009"), kind]);
  }
  return fits ? found : [...found, ["…", ""]];
}
