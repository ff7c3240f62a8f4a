// Pictures of figures as SVG text, so that the page and the build draw with the same functions.

const escaped = text => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

// Return an element as text. `content` is SVG already; an attribute that is null or false is left out.
export function tag(name, attributes, ...content) {
  const kept = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined && value !== false);
  return `<${name}${kept.map(([key, value]) => ` ${key}="${escaped(value)}"`).join("")}>${content.flat(Infinity).join("")}</${name}>`;
}

export const group = (attributes, ...content) => tag("g", attributes, ...content);
export const box = (x, y, width, height, attributes = {}) =>
  tag("rect", { x: round(x), y: round(y), width: round(width), height: round(height), ...attributes });
/** @param {number[][]} points */
export const line = (points, attributes = {}) =>
  tag("path", { d: `M${points.map(point => point.map(round).join(" ")).join("L")}`, fill: "none", ...attributes });
/** @param {number[]} place */
export const dot = ([x, y], r, attributes = {}) => tag("circle", { cx: round(x), cy: round(y), r, ...attributes });
/** @param {number[]} place */
export const oval = ([x, y], rx, ry, attributes = {}) =>
  tag("ellipse", { cx: round(x), cy: round(y), rx: round(rx), ry: round(ry), ...attributes });
export const words = (x, y, said, attributes = {}) => tag("text", { x: round(x), y: round(y), ...attributes }, escaped(said));

// Return text in runs of [text, class], in the letters of code.
export const runs = (x, y, said) =>
  tag("text", { x: round(x), y: round(y), class: "number" }, said.map(([text, look]) => tag("tspan", { class: look }, escaped(text))));

// Return the style that fills a shape with a share of a colour, in percent; for `heat` the colour says the sign, and the share the size.
export const mixed = (colour, share) => `fill: color-mix(in oklab, var(--${colour}) ${Math.round(share)}%, var(--soft))`;
export const heat = (value, most, deepest) => mixed(value < 0 ? "negative" : "positive", Math.min(1, Math.abs(value) / most) * deepest);

// Return a whole picture. `label` says what it shows.
export const picture = (width, height, label, ...content) =>
  tag("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label }, ...content);

// Return a part of a picture that cuts off what is outside of it. Its content is drawn from its own corner.
export const windowAt = ({ x, y, wide, high }, ...content) => tag("svg", { x, y, width: wide, height: high }, ...content);

// Return a point that a pointer drags and arrow keys move: `name` is the figure's word for it, `said` its value in words.
/** @param {number[]} place */
export function handle(name, label, value, said, place, look = dot(place, 9, { class: "point" })) {
  const spoken = { role: "slider", "aria-label": label, "aria-valuenow": value, "aria-valuetext": said };
  const attributes = { class: "handle", "data-drag": name, tabindex: 0, ...spoken };
  return group(attributes, dot(place, 17, { class: "grip" }), look);
}

// Return a part of a picture that is pointed at or chosen: `at` is the figure's word for it. Only one part of a matrix stops the tab key.
export const part = (at, label, stops, attributes, ...content) =>
  group({ "data-at": at, role: "button", "aria-label": label, tabindex: stops ? 0 : -1, ...attributes }, ...content);

// Return the head of an arrow that comes from one point, and ends at another one.
/** @param {number[]} from @param {number[]} to */
function head([x0, y0], [x, y]) {
  const angle = Math.atan2(y - y0, x - x0), side = turn => [x - 9 * Math.cos(angle + turn), y - 9 * Math.sin(angle + turn)];
  return line([[x, y], side(0.42), side(-0.42), [x, y]], { class: "head", fill: null });
}

// Return a straight arrow from one point to another.
/** @param {number[]} from @param {number[]} to */
export const arrow = (from, to, attributes) => group(attributes, line([from, to], { class: "edge" }), head(from, to));

// Return an arrow from one point to another, bowed by some pixels to its left, with a text on its middle.
/** @param {number[]} from @param {number[]} to */
export function bowed(from, to, bow, said, attributes) {
  const [x0, y0] = from, [x1, y1] = to, long = Math.hypot(x1 - x0, y1 - y0);
  const left = [(y1 - y0) / long, (x0 - x1) / long], middle = [(x0 + x1) / 2, (y0 + y1) / 2];
  const control = middle.map((at, k) => round(at + 2 * bow * left[k])), [x, y] = middle.map((at, k) => at + bow * left[k]);
  return group(attributes,
    tag("path", { d: `M${round(x0)} ${round(y0)}Q${control.join(" ")} ${round(x1)} ${round(y1)}`, fill: "none", class: "edge" }),
    head(control, to),
    box(x - 5 * said.length - 3, y - 11, 10 * said.length + 6, 22, { rx: 5, class: "label" }),
    words(x, y + 5, said, { class: "number", "text-anchor": "middle" }),
  );
}

const round = number => Math.round(number * 100) / 100;
