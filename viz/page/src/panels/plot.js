// A curve with its tangent: z against an input, or against the step size.

import { html, svg } from "../dom.js";
import { tenTo } from "../nudging/nudging.js";
import { toldApart } from "../numbers.js";
import { besideEachOther } from "../say.js";

const SAMPLES = 60; // points of the curve
const DEEP = 40; // halvings that tell a jump from a steep part
const TANGENT_BEYOND = 0.2; // a tangent leaves the picture beyond this share of the curve's height
const FLAT = 1e-12; // a smaller difference is rounding
const LETTER = 0.56; // the width of a digit, in rem
const SVG_MARGIN = { left: 3, right: 0.8, top: 0.7, bottom: 1.7 }; // rem

export function plotPanel(root) {
  const title = html("h2"), reached = html("span", { class: "here" }), legend = html("p", { class: "legend" });
  const picture = svg("svg", { role: "img" });
  root.replaceChildren(html("div", { class: "title" }, title, reached), legend, picture);
  let now = null, room = null, curve = null; // what is shown; its size in pixels and a rem; the samples of its curve

  new ResizeObserver(([{ contentRect: { width, height } }]) => {
    room = width && height ? { width, height, rem: parseFloat(getComputedStyle(document.documentElement).fontSize) } : null;
    draw();
  }).observe(picture);

  function draw() {
    if (!now || !room) return;
    if (curve?.key !== now.key) curve = { key: now.key, ...sampled(now) };
    picture.replaceChildren(...drawPlot(now, curve, room));
  }

  return {
    show({ plot }) {
      root.hidden = !plot;
      if (!(now = plot)) return;
      title.replaceChildren(...plot.title);
      reached.replaceChildren(...plot.reached);
      legend.replaceChildren(
        ...(plot.tangentOnly ? [] : [html("span", { class: "curve" }, plot.compares ? "— on this branch" : "— what really happens")]),
        ...(plot.tangent ? [html("span", { class: "tangent" }, `- - ${plot.tangent}`)] : []), html("span", { class: "note" }, plot.note),
      );
      picture.setAttribute("aria-label", `${title.textContent}: ${legend.textContent}, ${reached.textContent}`);
      draw();
    },
  };
}

// Return the points of the curve, and the lowest and the highest z that the picture shows.
function sampled({ f, from, to, at, lines }) {
  const xs = Array.from({ length: SAMPLES + 1 }, (_, k) => from + ((to - from) * k) / SAMPLES), ys = xs.map(f), z = f(at);
  const middle = Number.isFinite(z) ? z : ys.find(Number.isFinite) ?? 0;
  const away = ys.filter(Number.isFinite).map(y => Math.abs(y - middle)).sort((a, b) => a - b);
  // Near a pole the curve leaves the picture.
  const most = 8 * Math.max(away[Math.floor(away.length / 2)] ?? 0, Math.abs(lines[0]?.slope * (to - from)) / 8 || 0) || Infinity;
  const seen = ys.filter(y => Number.isFinite(y) && Math.abs(y - middle) <= most);
  const curve = [Math.min(middle, ...seen), Math.max(middle, ...seen)], beyond = TANGENT_BEYOND * (curve[1] - curve[0]);
  const ends = lines
    .flatMap(line => [line.from, line.to].map(x => z + line.slope * (x - at)))
    .map(y => Math.max(curve[0] - beyond, Math.min(curve[1] + beyond, y)));
  const flat = curve[1] - curve[0] <= FLAT * Math.abs(middle), low = flat ? middle : Math.min(curve[0], ...ends);
  const high = flat ? middle : Math.max(curve[1], ...ends);
  const pad = 0.08 * (high - low) || Math.abs(middle) * 0.1 || 1;
  return {
    xs, ys, z, low: low - pad, high: high + pad, broken: xs.map((x, k) => k > 0 && jumps(f, xs[k - 1], x, ys[k - 1], ys[k], high - low)),
  };
}

// Return whether the curve jumps between two points: however close they are, the difference stays.
function jumps(f, a, b, fa, fb, range) {
  const first = Math.abs(fb - fa);
  if (!(first > 0.1 * range)) return false;
  for (let k = 0; k < DEEP; k++) {
    const middle = (a + b) / 2, y = f(middle);
    if (Math.abs(y - fa) > Math.abs(fb - y)) [b, fb] = [middle, y];
    else [a, fa] = [middle, y];
  }
  return Math.abs(fb - fa) > 0.5 * first;
}

function drawPlot({ f, from, to, at, here, lines, tangentOnly }, { xs, ys, z, low, high, broken }, { width, height, rem }) {
  if (!Number.isFinite(z) && !ys.some(Number.isFinite))
    return [svg("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, "no finite value to show")];
  const ticks = ticksBetween(low, high, Math.max(2, Math.floor(height / (3.2 * rem))));
  const left = Math.max(SVG_MARGIN.left, LETTER * Math.max(...ticks.texts.map(text => text.length)) + 0.8) * rem;
  const right = width - SVG_MARGIN.right * rem;
  const top = SVG_MARGIN.top * rem, bottom = height - SVG_MARGIN.bottom * rem;
  const X = x => left + ((right - left) * (x - from)) / (to - from), Y = y => top + ((bottom - top) * (high - y)) / (high - low);
  const point = (x, y) => `${X(x).toFixed(1)} ${Math.max(-9999, Math.min(9999, Y(y))).toFixed(1)}`;
  const path = xs
    .map((x, k) => (Number.isFinite(ys[k]) ? `${k && Number.isFinite(ys[k - 1]) && !broken[k] ? "L" : "M"}${point(x, ys[k])}` : ""))
    .join("");
  const reached = f(here), ends = at === from ? [at, (from + to) / 2, to] : [from, at, to];
  const names = besideEachOther(ends, (right - left) / (LETTER * rem));
  const inside = { "clip-path": "url(#inside-plot)" };
  const line = (name, x1, y1, x2, y2) => svg("line", { class: name, ...inside, x1: X(x1), y1: Y(y1), x2: X(x2), y2: Y(y2) });
  const dot = (name, x, y, r) => svg("circle", { class: name, ...inside, cx: X(x), cy: Y(y), r: r * rem });
  const tangent = here < at ? lines[0] : lines.at(-1), promised = tangent && z + tangent.slope * (here - at);
  return [
    svg("defs", {},
      svg("clipPath", { id: "inside-plot" },
        svg("rect", { x: left - 0.45 * rem, y: top - 0.45 * rem, width: right - left + 0.9 * rem, height: bottom - top + 0.9 * rem }))),
    ...ticks.values.flatMap((y, k) => [
      svg("line", { class: "axis", x1: left, x2: right, y1: Y(y), y2: Y(y) }),
      svg("text", { x: left - 0.5 * rem, y: Y(y) + 0.3 * rem, "text-anchor": "end" }, ticks.texts[k]),
    ]),
    ...ends.map((x, k) => svg("text", { x: X(x), y: height - 0.4 * rem, "text-anchor": ["start", "middle", "end"][k] }, names[k])),
    ...lines.map(({ slope, from: x1, to: x2 }) => line("tangent", x1, z + slope * (x1 - at), x2, z + slope * (x2 - at))),
    ...(tangentOnly ? [] : [svg("path", { class: "curve", ...inside, d: path })]),
    ...(here !== at && Number.isFinite(reached) ? [line("drop", here, reached, here, low - high)] : []),
    ...(here !== at && Number.isFinite(promised) ? [dot("promised", here, promised, 0.3)] : []),
    ...(Number.isFinite(z) ? [dot("base", at, z, 0.36)] : []),
    ...(here !== at && Number.isFinite(reached) ? [dot("here", here, reached, 0.4)] : []),
  ];
}

// Return round numbers between two numbers, and their texts with the digits that tell them apart.
function ticksBetween(low, high, most) {
  const rough = (high - low) / most, unit = tenTo(Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map(k => k * unit).find(size => size >= rough) ?? rough;
  const values = [];
  for (let k = Math.ceil(low / step); k * step <= high && values.length < 9; k++) if (k * step !== values.at(-1)) values.push(k * step);
  return { values, texts: toldApart(values) };
}
