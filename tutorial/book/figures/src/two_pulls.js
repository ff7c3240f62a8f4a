// Chapter 9: the headings of an arm are used by cos and by sin. In the backward pass two arrays become one, entry by entry.

import { CUP, JOINTS, arm, jointHandles, mug, pointsOf, pressed, stage, table, turned } from "./arm.js";
import { alongTrack, clamp, digits } from "./numbers.js";
import { box, group, handle, line, picture, words } from "./svg.js";

const HIGH = 44, TOP = 26, APART = 74, NARROW = 560;

// Return the headings, what comes over cos and over sin, and what is in dz/dh in the end.
function facts({ angles, way }) {
  const headings = angles.map((_, k) => angles.slice(0, k + 1).reduce((sum, angle) => sum + angle, 0));
  const [dx, dy] = pointsOf(angles).at(-1).map((at, axis) => 2 * (at - CUP[axis]));
  const overCos = headings.map(heading => -Math.sin(heading) * dx), overSin = headings.map(heading => Math.cos(heading) * dy);
  return { headings, overCos, overSin, dh: overSin.map((pull, k) => (way === "+=" ? overCos[k] + pull : pull)) };
}

function layout(wide) {
  const narrow = wide < NARROW, aside = narrow ? 0 : wide * 0.36, above = narrow ? 204 : 0, names = narrow ? 78 : 92;
  const left = aside + names, cell = Math.min(140, (wide - left - 4) / 3);
  const rows = { overCos: above + TOP, dh: above + TOP + APART, overSin: above + TOP + 2 * APART };
  return {
    left, cell, rows, aside, track: { y: rows.overSin + HIGH + 26, from: left + 10, to: left + 3 * cell - 10 },
    table: table({ x: 0, y: 0, wide: narrow ? wide : aside - 12, high: 196, low: 168, scale: 50 }),
  };
}

const hundredths = number => Math.round(100 * number);
const two = number => digits(hundredths(number) / 100 || 0);
// Return a sum as that of its parts with two digits, which the reader adds up.
const summed = (...parts) => two(parts.reduce((sum, part) => sum + hundredths(part), 0) / 100);

function shown(state, wide) {
  const { angles, t, way } = state, { overCos, overSin, dh } = facts(state), isWhole = t === 1;
  const { left, cell, rows, track, table: panel } = layout(wide);
  const sum = k => `${two(overCos[k])}${overSin[k] < 0 ? "−" : "+"}${two(Math.abs(overSin[k]))}`;
  const square = (k, y, text, below, look) => group({ class: look },
    box(left + k * cell + 2, y + 2, cell - 4, HIGH - 4, { rx: 6, class: "cell" }),
    words(left + k * cell + cell / 2, y + (below ? 20 : 27), text, { class: "number", "text-anchor": "middle" }),
    below ? words(left + k * cell + cell / 2, y + HIGH - 8, below, { class: "number below", "text-anchor": "middle" }) : "",
  );
  const name = (y, text, look) => words(left - 10, y + 27, text, { class: `strong ${look}`, "text-anchor": "end" });
  const moved = from => rows[from] + t * (rows.dh - rows[from]);
  return picture(wide, track.y + 24, "an arm, and two arrays of contributions that become one",
    group({}, stage(panel), mug(panel.to(CUP)), arm(angles, panel, "total"), jointHandles(angles, panel)),
    name(rows.overCos, "over cos", "partial"), name(rows.dh, "dz/dh", "total"), name(rows.overSin, "over sin", "child"),
    group({}, dh.map((_, k) => [rows.overCos, rows.overSin].map(y =>
      line([[left + (k + 0.5) * cell, y + HIGH / 2], [left + (k + 0.5) * cell, rows.dh + HIGH / 2]], { class: "thread" })))),
    group({}, ["overCos", "dh", "overSin"].map(row => dh.map((_, k) => square(k, rows[row], "", "", "padding")))),
    group({}, isWhole ? [] : overCos.map((pull, k) => square(k, moved("overCos"), two(pull), "", "factor"))),
    group({}, isWhole ? [] : overSin.map((pull, k) => square(k, moved("overSin"), two(pull), "", "other"))),
    group({}, isWhole ? dh.map((total, k) => (way === "+="
      ? square(k, rows.dh, summed(overCos[k], overSin[k]), sum(k), "here")
      : square(k, rows.dh, two(total), `${two(overCos[k])} lost`, "here lost"))) : []),
    line([[track.from, track.y], [track.to, track.y]], { class: "legs" }),
    handle("t", "how far the two arrays have become one", Number(t.toFixed(2)), `${Math.round(100 * t)} percent`, [
      track.from + t * (track.to - track.from), track.y,
    ]),
  );
}

function says(state) {
  const { t, way } = state, { overCos, overSin, dh } = facts(state), first = `${two(overCos[0])} over cos and ${two(overSin[0])} over sin`;
  if (t < 1) return `The first link gets ${first}. Which number does the engine keep?`;
  if (way === "=") return `<b class="wrong">dz/dh = … overwrites.</b> Of ${first}, only <b class="wrong">${two(dh[0])}</b> is left.`;
  return `The first link gets ${first}: together about `
    + `<b class="total">${summed(overCos[0], overSin[0])}</b>. Two uses, two contributions, one sum.`;
}

const start = { angles: [0.6, 0.4, 0.5], t: 0, way: "+=" };

export const two_pulls = {
  does: "Drag the point: two arrays become one",
  hint: "Each heading is used by cos and by sin. Drag the arm, too.",
  wide: true,
  start,
  still: { ...start, t: 0.4 },
  others: [{ ...start, t: 1, way: "=" }, { ...start, angles: [1.2, -2, 1] }],
  facts, says,
  picture: shown,
  drag({ angles }, place, wide, name) {
    const { track, table: panel } = layout(wide);
    return name === "t" ? { t: alongTrack(place[0], track) } : { angles: turned(angles, JOINTS.indexOf(name), panel.from(place)) };
  },
  press: ({ angles, t }, way, name) => (name === "t"
    ? { t: clamp(Math.round(10 * t + (way[0] || way[1])) / 10, 0, 1) } : { angles: pressed(angles, JOINTS.indexOf(name), way) }),
  controls: [
    {
      choose: "line of the engine", of: "way", options: [["+=", "dz/dh += …"], ["=", "dz/dh = …"]], change: (_, way) => ({ way, t: 1 }),
    },
  ],
};
