// A rank that is too high stands on shelves: things side by side, one shelf below the other. Lines to a thing that is not the first of its
// shelf pass above the shelf, and lines from one that is not the last below it.

import { isScope } from "./model.js";
import { ASIDE, DOWN, LANE } from "./sizes.js";

const CLOSE_BY = 40, LEAVES = 30; // between things to which no line leads; from a thing to the lane below its shelf

// Return ranks in which things of a high rank are replaced by shelves, { shelf: things, wide, high, near }. `space.highest` is the height
// from which a rank is high, `across` the room between ranks.
export function onShelves(model, ranks, screen, { highest }, across) {
  const widths = ranks.map(rank => Math.max(0, ...rank.map(({ wide }) => wide)));
  const all = widths.reduce((sum, wide) => sum + wide + across, -across);
  return ranks.map((rank, r) => {
    if (rank.reduce((sum, { gap, high }) => sum + (gap ? 0 : high + DOWN), 0) <= highest) return rank;
    const beside = screen.wide - all + widths[r], room = beside > 2 * widths[r] ? beside : screen.wide - 2 * ASIDE;
    return filled(model, rank, room, across);
  });
}

// Return a rank on shelves of at most this width. Gaps stand between the shelves.
function filled(model, rank, room, across) {
  const found = [];
  let shelf = null, gaps = [];
  for (const entry of rank) {
    if (entry.gap) { gaps.push(entry); continue; }
    const before = isScope(entry.thing) || model.nodes[entry.thing].inputs.length ? across : CLOSE_BY;
    if (!shelf || shelf.wide + before + entry.wide > room) {
      shelf = { shelf: [], wide: -before, high: 0, near: [[], []] };
      found.push(...gaps, shelf);
      gaps = [];
    }
    Object.assign(entry, { on: shelf, before: shelf.shelf.length ? before : 0, aside: shelf.wide + before });
    shelf.shelf.push(entry);
    shelf.wide += before + entry.wide;
    shelf.high = Math.max(shelf.high, entry.high + 2 * LANE);
    for (const side of [0, 1]) shelf.near[side].push(...entry.near[side]);
  }
  const wide = Math.max(...found.map(standing => (standing.shelf ? standing.wide : 0)));
  for (const standing of found) if (standing.shelf) standing.wide = wide; // lines leave all shelves at the same place
  return [...found, ...gaps];
}

// Give the things of a shelf their places.
export function placeOnShelf({ shelf, x, y, high }) {
  for (const entry of shelf) Object.assign(entry, { x: x + entry.aside, y: y + (high - entry.high) / 2 });
}

// Return the lane above its shelf that leads to a thing, and the one below it that leads away; none for a thing at the end.
export function lanesAbove({ on, x, before }) {
  return on && x > on.x ? [{ x: on.x, wide: x - before - on.x, y: on.y + LANE / 2 }] : [];
}

export function lanesBelow({ on, x, wide }) {
  const from = x + wide + LEAVES;
  return on && from < on.x + on.wide ? [{ x: from, wide: on.x + on.wide - from, y: on.y + on.high - LANE / 2 }] : [];
}

// Return [key, lane] of the lines that come from outside the scope, or lead out, at things on shelves.
export function outerLanes(ranks, chains) {
  const known = new Set(chains.map(([key]) => key)), things = ranks.flat().flatMap(({ shelf }) => shelf ?? []);
  const ways = things.flatMap(entry => [
    ...lanesAbove(entry).map(lane => [`,${entry.thing}`, lane]), ...lanesBelow(entry).map(lane => [`${entry.thing},`, lane]),
  ]);
  return ways.filter(([key]) => !known.has(key));
}
