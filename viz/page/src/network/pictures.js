// Paint a picture of numbers on a canvas: a square for each cell, orange above 0 and blue below it. Colours are those of the theme.

import { html } from "../dom.js";
import { digits } from "../say.js";

const NAMES = ["--positive", "--negative", "--zero-fill", "--ink", "--current", "--panel"];
const FULL = 0.85, SHADES = 16, DARK = 0.62; // how much of its colour the largest number has; of a picture that Python made
const LARGEST = 15; // pixels: the height of a number in a cell
const MOST_PAINTED = 12;

let colours = null;

// The colours change with the theme: forget them, and call `repaint`.
export function whenColoursChange(repaint) {
  const change = () => {
    colours = null;
    repaint();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", change);
  new MutationObserver(change).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
}

function theme() {
  if (colours) return colours;
  const probe = document.createElement("i"), read = name => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
  };
  document.body.append(probe);
  colours = Object.fromEntries(NAMES.map(name => [name.slice(2), read(name)]));
  probe.remove();
  return colours;
}

const rgb = parts => `rgb(${parts.map(Math.round).join(" ")})`;

function shade(level) {
  const { positive, negative, "zero-fill": zero } = theme(), to = level < 0 ? negative : positive, share = FULL * Math.min(1,
    Math.abs(level));
  return zero.map((part, k) => part + (to[k] - part) * share);
}

// A picture: {matrices, rows, columns, levels} with levels from −1 to 1, matrix by matrix; NaN is not finite. `numbers` are written where
// there is room.
export function pictureOf(cells, array, largest) {
  const numbers = cells.of(array), most = largest ?? numbers.reduce((max, n) => Math.max(max, Number.isFinite(n) ? Math.abs(n) : 0), 0);
  return {
    matrices: cells.matrices.length, rows: cells.rows, columns: cells.columns, numbers,
    levels: numbers.map(n => (Number.isFinite(n) ? n / (most || 1) : NaN)),
  };
}

// Return the picture of what Python has written of an array: letters, or the numbers of a small one.
export function pictureOfData({ picture, shape }, numbers) {
  if (picture) {
    const { cells, columns } = picture, rows = cells[0].length / columns;
    return {
      matrices: cells.length, rows, columns,
      levels: Float64Array.from(cells.join(""), letter => (letter === "." ? NaN : (parseInt(letter, 36) - SHADES) / SHADES)),
    };
  }
  const flat = [numbers].flat(Infinity).map(Number), most = Math.max(...flat.filter(Number.isFinite).map(Math.abs), 0) || 1;
  const columns = shape?.at(-1) ?? 1, rows = shape?.length > 1 ? shape.at(-2) : 1;
  return {
    matrices: flat.length / (rows * columns), rows, columns, numbers: flat,
    levels: Float64Array.from(flat, n => (Number.isFinite(n) ? n / most : NaN)),
  };
}

export const canvas = label => html("canvas", { role: "img", "aria-label": label });

// Return how many matrices stand side by side so that the cells are largest, and the size of a cell; `most` is that of a cell.
function arranged({ matrices, rows, columns }, { width, height, most }) {
  const count = Math.min(matrices, MOST_PAINTED);
  let best = { cell: 0, across: 1, down: 1, gap: 5 };
  for (let across = 1; across <= count; across++) {
    const down = Math.ceil(count / across), gap = 5;
    const cell = Math.min((width - gap * (across - 1)) / (across * columns), (height - gap * (down - 1)) / (down * rows), most);
    if (cell > best.cell) best = { cell, across, down, gap };
  }
  return { count, ...best };
}

// Paint, and return a function from a place on the canvas to a cell, −1 beside the cells. With `stretch` a cell may be wider than high;
// `write` writes numbers where there is room, and `rings` are cells with a ring.
export function paint(target, picture, { width, height, most = 18, rings = [], stretch = 1, write = false }) {
  const { matrices, rows, columns, levels, numbers } = picture;
  const { cell, count, across, down, gap } = arranged({ matrices, rows, columns: columns * stretch }, { width, height, most });
  const wide = cell * stretch, stepX = wide * columns + gap, stepY = cell * rows + gap, each = rows * columns, line = cell > 3 ? 0.7 : 0;
  const pen = penOn(target, across * stepX - gap, down * stepY - gap), shown = count * each;
  /** @returns {[number, number]} */
  const cornerOf = k => {
    const matrix = Math.floor(k / each), at = k % each;
    return [(matrix % across) * stepX + (at % columns) * wide, Math.floor(matrix / across) * stepY + Math.floor(at / columns) * cell];
  };
  for (let k = 0; k < shown; k++) {
    const [x, y] = cornerOf(k), level = levels[k], isFinite = Number.isFinite(level);
    pen.fillStyle = rgb(shade(isFinite ? level : 0));
    pen.fillRect(x, y, wide - line, cell - line);
    if (!isFinite) pen.strokeRect(x + 1, y + 1, wide - 2, cell - 2);
  }
  if (write && numbers) writeNumbers(pen, [...numbers].slice(0, shown).map(number => digits(number, 2)), levels, cornerOf, wide, cell);
  for (const k of rings) if (k >= 0 && k < shown) ring(pen, cornerOf(k), wide - line, cell - line);
  return (x, y) => {
    const i = Math.floor(x / stepX), j = Math.floor(y / stepY), matrix = j * across + i;
    const column = Math.floor((x - i * stepX) / wide), row = Math.floor((y - j * stepY) / cell);
    const isInside = i >= 0 && i < across && j >= 0 && column >= 0 && column < columns && row >= 0 && row < rows && matrix < count;
    return isInside ? (matrix * rows + row) * columns + column : -1;
  };
}

// Return what draws on a canvas of this size in pixels of the page.
function penOn(target, width, height) {
  const scale = devicePixelRatio || 1, pen = target.getContext("2d");
  Object.assign(target, { width: Math.max(1, Math.ceil(width * scale)), height: Math.max(1, Math.ceil(height * scale)) });
  Object.assign(target.style, { width: `${width}px`, height: `${height}px` });
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  Object.assign(pen, { textAlign: "center", textBaseline: "middle" });
  return pen;
}

// Write the numbers if all of them can be read. On a strong colour a number is light, on the light page.
function writeNumbers(pen, texts, levels, cornerOf, wide, cell) {
  const { ink, panel } = theme(), isLight = ink[0] < panel[0], letters = Math.max(4, ...texts.map(text => text.length));
  const size = Math.min(0.7 * cell, (1.45 * wide) / letters, LARGEST);
  if (size < parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--least"))) return;
  pen.font = `600 ${size}px system-ui, sans-serif`;
  texts.forEach((text, k) => {
    const [x, y] = cornerOf(k);
    pen.fillStyle = rgb(Math.abs(levels[k]) > DARK && isLight ? panel : ink);
    pen.fillText(text, x + wide / 2, y + cell / 2 + 0.5);
  });
}

// Around a small cell the ring stands off.
function ring(pen, [x, y], wide, high) {
  const off = high > 10 ? 0 : 1.5;
  Object.assign(pen, { strokeStyle: rgb(theme().current), lineWidth: high > 10 ? 2.5 : 2 });
  pen.strokeRect(x - off, y - off, wide + 2 * off, high + 2 * off);
}
