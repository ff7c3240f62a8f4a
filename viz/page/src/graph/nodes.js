// The box of a variable in the graph. It is drawn once; a step changes its classes, numbers and tag.

import { paintPicture } from "../arrays/picture.js";
import { all, mathText, svg } from "../dom.js";
import { BOLD, briefly, inRoom, widthOf } from "./brief_numbers.js";
import { afterFunction, functionNode } from "./function_nodes.js";
import { bounded } from "./graph_window.js";
import { fitting, halves } from "./formula_lines.js";
import { changeInRoom, liveMarks, newText } from "./live_marks.js";
import { shapeText } from "../numbers.js";
import { withSign } from "../say.js";

export const CORNER = 9; // the radius of a box's corners
export const TAG = 1.35; // the height of a tag, in font sizes
const LINE = 1.25, LETTER = 0.56; // the height of a line and the width of a letter, in font sizes

// `look` has the sizes of the scene's fonts and of the parts of its boxes: looks.py.
/** @param {Run} run */
export function paintNode(run, place, id, onPick, look) {
  const box = place.function ? afterFunction(place, look) : place;
  const { variable: v } = box, variable = run.variables[v], shape = variable.shape.length ? shapeText(variable.shape) : null;
  const parts = drawNode(run, box, id, look), { group, value, total, count } = parts;
  value.classList.toggle("shape", shape !== null);
  if (place.function) group.append(...functionNode(run, place, box, look));
  group.addEventListener("click", event => onPick(v, event));
  group.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPick(v);
  });
  const opens = !!run.scalarGraphs?.[v], brief = briefly(variable.text, look);
  const showLive = liveMarks(group, box, +total.getAttribute("y"), look, opens);
  const liveText = newText(box, variable, brief, look), changed = changeInRoom(box, variable, brief, look, opens);
  let shown = {};

  function valueText(now) {
    if (now.text) return liveText(now.moved ? now : { ...now, text: briefly(now.text, look) });
    return now.valued ? briefly(variable.text, look) : "?";
  }

  // The rectangles in the scene of what sticks out of the box: the magnifier and the lines of the formula.
  const measured = () => all(".zoom circle, .formula, .formula-more", group).map(part => {
    const { x, y, width: w, height: h } = part.getBBox(), [across, down] = part.localName === "circle" ? [box.w + 2, box.h - 7] : [0, 0];
    return { x: box.x - box.w / 2 + across + x + w / 2, y: box.y - box.h / 2 + down + y + h / 2, w, h };
  });
  let around = null;

  return {
    group,
    variable: v,
    get around() { return (around ??= measured()); },
    show(frame) {
      const now = stateOf(v, frame), q = run.quantities[now.quantity];
      for (const [name, on] of Object.entries(classesOf(v, frame, now))) group.classList.toggle(name, !!on);
      if (Object.keys({ ...shown, ...now }).every(key => Object.is(shown[key], now[key]))) return;
      shown = now;
      const texts = now.texts && changed(now), was = texts?.was === null ? null : now.was;
      value.textContent = shape ?? texts?.now ?? valueText(now);
      writeTotal(total, variable, box, now, q, look);
      if (box.value) {
        fillTable(parts.valueTable, now.array ?? (now.valued ? variable : null), box.value, box, look);
        fillTable(parts.totalTable, now.below ?? q, box.total, box, look);
      }
      showLive({ ...now, was, texts, text: value.textContent });
      const change = texts?.exact && now.change === withSign(now.texts.change) ? withSign(texts.change) : now.change;
      writeTag(parts, box, now.label ?? change ?? "", look);
      count.textContent = now.count ?? "";
      group.setAttribute("aria-label", spoken(run, v, shape, now, q));
    },
  };
}

// What a frame says of a variable.
function stateOf(v, { act, valued, totals, tags, counts, values, arrows, nudged }) {
  const { quantity, final } = totals.get(v) ?? {};
  return {
    act, valued: valued(v), quantity, final, label: tags.get(v), count: counts.get(v), ...values?.get(v), arrow: arrows?.get(v),
    nudged: v === nudged,
  };
}

// Write dz/dx = 9 at the bottom of a box: without the number in the box of an array, which has a table; "was" above an array that changes.
function writeTotal(total, variable, box, { act, below, quantity, final, total: live }, q, { compact, turned, ...look }) {
  const isShown = act === "backward" || quantity !== undefined, isArray = variable.shape.length > 0;
  const named = isArray ? variable.totalLabel : compact ? [] : [...variable.totalLabel, [turned ? "=" : " = ", ""]];
  mathText(total, below?.label && box.value ? [[below.label, ""]] : isShown ? named : []);
  if (!isShown || isArray) return;
  const more = final ? "" : turned ? "…" : " …";
  total.append(svg("tspan", { class: "number" }, q ? briefly(live ?? q.text, { compact, ...look }) + more : "?"));
}

function classesOf(v, { current, active, onPath, put, lit }, { quantity, final, label, count, change, moved, nudged }) {
  const isCurrent = v === current || !!lit?.has(v); // `lit` are the variables that an act without a current variable looks at
  return { current: isCurrent, child: label !== undefined && !isCurrent, active: v === active, done: !!final,
    dim: current !== undefined && label === undefined && !onPath.has(v), sum: quantity !== undefined && !final,
    waits: count > 0, counted: count !== undefined, fresh: v === put, moved: !!moved, nudged, changed: !!change };
}

// The parts of a box, and those that change: {group, value, total, tag, tagBox, count, valueTable, totalTable}.
function drawNode(run, box, id, look) {
  const { variable: v, w, h, split } = box, variable = run.variables[v], by = variable.mark;
  const broken = run.notFinite?.variable === v;
  const { name, value, total, foot } = textsOf(box, look), { fonts } = look;
  const high = TAG * fonts.tag, tag = placed("tag-text", 0, 0.35 * fonts.tag, "middle");
  const tagBox = svg("rect", { class: "tag-box", y: -high / 2, height: high, rx: high / 2 });
  const count = placed("count-text", 0, 6, "middle");
  const table = area => svg("g", { class: "entries", transform: `translate(${area.x} ${area.y})` });
  const valueTable = box.value && table(box.value), totalTable = box.value && table(box.total);
  const kind = `${variable.function === null ? "input" : "made"}${broken ? " not-finite" : ""}${by ? ` by-${by[0]}` : ""}`;
  const group = svg(
    "g",
    { id, class: `node ${kind}`, transform: `translate(${box.x - w / 2} ${box.y - h / 2})`, tabindex: -1, role: "button",
      "data-whole": run.isCut(v) ? variable.name : null },
    svg("title", {},
      variable.equation ? `${variable.name} = ${variable.equation} = ${variable.text}` : `${variable.name} = ${variable.text}`),
    svg("rect", { class: "halo", x: -5, y: -5, width: w + 10, height: h + 10, rx: CORNER + 5 }),
    svg("rect", { class: "box", width: w, height: h, rx: CORNER }),
    svg("path", { class: "band", d: split ? besideBand(split, w, h) : bottomBand(foot, w, h) }),
    svg("rect", { class: "frame", width: w, height: h, rx: CORNER }),
    mathText(name, variable.label),
    value,
    total,
  );
  if (variable.equation && !box.function && !look.bare) group.append(...formulaBelow(variable, box, look));
  if (box.value) group.append(valueTable, totalTable);
  group.append(
    svg("g", { class: "tag", transform: `translate(0 ${-high * (look.compact ? 0.3 : 0.17)})` }, tagBox, tag),
    svg("g", { class: "count", transform: `translate(${w - 4} 0)` }, svg("circle", { r: 14 }), count),
  );
  if (broken) group.append(brokenMark(h));
  const opened = run.scalarGraphs?.[v];
  if (opened) group.append(magnifier(v, ...(look.turned ? [w - 1, h - 5, SMALLER] : [w + 2, h - 7, 1]), opened.opening ?? "zoom in"));
  return { group, value, total, tag, tagBox, count, valueTable, totalTable };
}

const placed = (name, x, y, anchor = "start") => svg("text", { class: name, x, y, "text-anchor": anchor });

// The places of the texts of a box, and `foot`, where the band with the derivative begins.
function textsOf({ value, total, w, h, split, under = 0 }, { head, foot: below, side, fonts }) {
  const high = 0.7 * head, middle = area => area.y + area.h / 2 + 7;
  // A small array is beside its name, and its gradient beside dz/dx.
  if (value?.y < head)
    return {
      foot: h / 2, name: placed("name", side, middle(value)), value: placed("value", value.x - side, middle(value), "end"),
      total: placed("total", side, middle(total)),
    };
  const foot = value ? total.y - below : head + under;
  return {
    foot, name: placed("name", side, high), value: placed("value", (split ?? w) - side, high + under, "end"),
    total: split
      ? placed("total", (split + w) / 2, high, "middle")
      : placed("total", w / 2, foot + below / 2 + 0.32 * fonts.total, "middle"),
  };
}

function formulaBelow({ formulaLabel }, { w, h, lines }, { turned, compact, fonts: { formula: size } }) {
  const room = turned ? w : compact ? 1.15 * w : Math.max(1.1 * w, 300), parts = lines > 1 ? halves(formulaLabel) : [formulaLabel];
  return parts.map((runs, k) =>
    mathText(placed(k ? "formula-more" : "formula", w / 2, h + (0.95 + 1.25 * k) * size, "middle"), fitting(runs, room, size)));
}

const brokenMark = h =>
  svg("g", { class: "broken", transform: `translate(4 ${h - 4})` },
    svg("circle", { r: 12 }), svg("text", { y: 6, "text-anchor": "middle" }, "!"));

// The path of the band at the right of a box from `split` on, or at its bottom from `foot` on. It follows the corners of the box.
const ROUND = `a${CORNER} ${CORNER} 0 0 1`;
const besideBand = (split, w, h) =>
  `M${split} 0H${w - CORNER}${ROUND} ${CORNER} ${CORNER}V${h - CORNER}${ROUND}-${CORNER} ${CORNER}H${split}z`;
const bottomBand = (foot, w, h) => `M0 ${foot}H${w}V${h - CORNER}${ROUND}-${CORNER} ${CORNER}H${CORNER}${ROUND}-${CORNER}-${CORNER}z`;

// Write a tag in the middle of a box, or beside it where the scene ends.
export function writeTag({ tag, tagBox }, box, label, { fonts, across }) {
  const wide = fonts.tag * (0.8 + BOLD * widthOf(label)), middle = bounded(box.x, wide / 2, across - wide / 2) - box.x + box.w / 2;
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

// A magnifying glass at the corner of a function whose scalar graph can be opened. In a narrow window it touches no box beside it; the
// formula below the box opens the graph, too.
const SMALLER = 0.66;
function magnifier(v, x, y, scale, title) {
  return svg("g", { class: "zoom", "data-variable": v, transform: `translate(${x} ${y}) scale(${scale})` },
    svg("title", {}, title), svg("circle", { r: 12 }), svg("path", { d: "M-5-1a4 4 0 1 0 8 0a4 4 0 1 0-8 0M2 2L6 6" }));
}

// The entries of a small array, coloured by sign and size; for a large array, a picture. `marks` are classes of entries.
function fillTable(table, found, area, { columns, cell: size, w: across, split = 0 }, { row: high, side, fonts }) {
  table.replaceChildren();
  delete table.dataset.array;
  if (!found) return;
  if (found.array !== undefined) table.dataset.array = found.array;
  if (found.picture) return void table.append(...paintPicture(found.picture, area.w, size, high < fonts.cell ? 0 : fonts.cell));
  if (found.lines) return void table.append(...linesIn(found.lines, area, across - split - side, fonts.cell));
  if (!found.cells)
    return void table.append(svg("text", { x: area.w / 2, y: fonts.cell, "text-anchor": "middle" }, found.summary ?? found.text));
  const numbers = found.data ?? found.number;
  const rows = typeof numbers?.[0] === "number" ? [numbers] : numbers ?? [];
  const largest = Math.max(...rows.flat().map(Math.abs).filter(Number.isFinite), 0) || 1;
  found.cells.forEach((row, i) => {
    let x = 0;
    row.forEach((cell, j) => {
      const number = rows[i]?.[j] ?? 0, mark = found.marks?.[i][j] ?? "";
      table.append(
        svg("rect", {
          class: `${number > 0 ? "positive" : number < 0 ? "negative" : "zero"} ${mark}`, x: x + 1, y: i * high + 1, width: columns[j] - 2,
          height: high - 2, rx: 3, "fill-opacity": (0.15 + 0.6 * Math.min(1, Math.abs(number) / largest)).toFixed(2),
        }),
      );
      if (high >= fonts.cell)
        table.append(
          svg("text", { x: x + columns[j] - 6, y: i * high + high / 2 + 0.36 * fonts.cell, "text-anchor": "end", class: mark },
            found.marks ? inRoom(cell, number, Math.floor((columns[j] - 8) / (0.55 * fonts.cell))) : cell),
        );
      x += columns[j];
    });
  });
}

// Return lines of text, as many as there is room for. Of each line [long, short] the first that fits is shown.
function linesIn(lines, { w, h }, room, size) {
  const most = Math.max(1, Math.floor(h / (LINE * size))), letters = Math.floor(room / (LETTER * size));
  const shown = lines.length > most ? [...lines.slice(0, most - 1), ["…"]] : lines;
  return shown.map((ways, k) =>
    svg("text", { x: w / 2, y: (k + 0.8) * LINE * size, "text-anchor": "middle" }, ways.find(way => way.length <= letters) ?? ways.at(-1)),
  );
}
