// Pictures of figures as SVG text, so that the page and the build draw with the same functions.

const escaped = text => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

// Return an element as text. `content` is SVG already; an attribute that is null or false is left out.
function tag(name, attributes, ...content) {
  const kept = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined && value !== false);
  return `<${name}${kept.map(([key, value]) => ` ${key}="${escaped(value)}"`).join("")}>${content.flat(Infinity).join("")}</${name}>`;
}

const group = (attributes, ...content) => tag("g", attributes, ...content);
export const box = (x, y, width, height, attributes = {}) =>
  tag("rect", { x: round(x), y: round(y), width: round(width), height: round(height), ...attributes });
/** @param {number[][]} points */
export const line = (points, attributes = {}) =>
  tag("path", { d: `M${points.map(point => point.map(round).join(" ")).join("L")}`, fill: "none", ...attributes });
/** @param {number[]} place */
export const dot = ([x, y], r, attributes = {}) => tag("circle", { cx: round(x), cy: round(y), r, ...attributes });
export const words = (x, y, said, attributes = {}) => tag("text", { x: round(x), y: round(y), ...attributes }, escaped(said));

// Return a whole picture. `label` says what it shows.
export const picture = (width, height, label, ...content) =>
  tag("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label }, ...content);

// Return a part of a picture that cuts off what is outside of it. Its content is drawn from its own corner.
export const windowAt = ({ x, y, wide, high }, ...content) => tag("svg", { x, y, width: wide, height: high }, ...content);

// Return a point that a pointer drags and arrow keys move: `name` is the figure's word for it, `said` its value in words.
export function handle(name, label, value, said, place) {
  const spoken = { role: "slider", "aria-label": label, "aria-valuenow": value, "aria-valuetext": said };
  const attributes = { class: "handle", "data-drag": name, tabindex: 0, ...spoken };
  return group(attributes, dot(place, 17, { class: "grip" }), dot(place, 9, { class: "point" }));
}

const round = number => Math.round(number * 100) / 100;
