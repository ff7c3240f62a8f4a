// Where each shown thing stands. Each scope is laid out for itself: Python wrote its ranks, this adds the coordinates.
// An open scope is as large as what is in it, and moves what stands after it.

import { align } from "./heights.js";
import { isScope, scopeOf } from "./model.js";
import { inRows } from "./rows.js";
import { onShelves } from "./shelves.js";
import { ASIDE, LANE, TITLE } from "./sizes.js";

const SPACE = { across: () => 56, between: 20, edge: 0 }; // between ranks of a scope, between rows, around the graph: pixels at scale 1
const ROOM = 16; // pixels around what an open scope holds

// Return { places: Map(thing → { x, y, wide, high }), lanes: Map("a,b" → [a lane, …]) } of all that is shown. `screen` { wide, high } is
// the window: a scope that is wider stands in several rows. A lane is where a line passes a rank, { x, wide, y }, or turns to the next
// row, { right, y, left }.
export function layout(model, screen, space = SPACE) {
  const places = new Map(), lanes = new Map();
  spread(inside(model, 0, screen, space), space.edge, space.edge, places, lanes);
  return { places, lanes };
}

// Return the entries of a scope with their places in it, its lanes, and its size.
function inside(model, scope, screen, space) {
  const ranks = (model.scopes[scope].ranks ?? []).map(rank => rank.map(entry => entered(model, entry, screen, space)));
  const chains = link(ranks, model.links[scope]);
  const across = space.across(scope), standing = space.highest ? onShelves(model, ranks, screen, space, across) : ranks;
  align(standing);
  return { entries: ranks.flat(), ...inRows(standing, chains, screen, { ...space, across }) };
}

// Return an entry of a rank: a thing and its size, or a gap for a line that passes.
function entered(model, entry, screen, space) {
  if (Array.isArray(entry)) return { gap: entry.join(), wide: 0, high: LANE, near: [[], []] };
  if (!isScope(entry)) return { thing: entry, wide: model.nodes[entry].wide, high: model.nodes[entry].high, near: [[], []] };
  const { wide, high } = model.scopes[scopeOf(entry)];
  if (!model.open.has(scopeOf(entry))) return { thing: entry, wide: wide + 18, high, near: [[], []] };
  const held = inside(model, scopeOf(entry), { ...screen, wide: screen.wide - 2 * (ASIDE + ROOM) }, space);
  return { thing: entry, held, wide: Math.max(held.wide, wide) + 2 * ROOM, high: held.high + TITLE + ROOM, near: [[], []] };
}

// Tell each entry its neighbours in the rank before and in the rank after. Return the links as [key, the entries from end to end].
function link(ranks, links) {
  const of = new Map(), gaps = new Map();
  for (const entry of ranks.flat()) {
    if (entry.gap) gaps.set(entry.gap, [...(gaps.get(entry.gap) ?? []), entry]);
    else of.set(entry.thing, entry);
  }
  const inner = [...links].map(([key, [a, b]]) => [key, [of.get(a), ...(gaps.get(key) ?? []), of.get(b)]]);
  const outer = [...gaps].filter(([key]) => !links.has(key)).map(([key, passed]) => {
    const [a, b] = key.split(",");
    return [key, [...(a ? [of.get(+a)] : []), ...passed, ...(b ? [of.get(+b)] : [])]];
  });
  for (const [, chain] of [...inner, ...outer]) {
    for (let k = 1; k < chain.length; k++) {
      chain[k].near[0].push(chain[k - 1]);
      chain[k - 1].near[1].push(chain[k]);
    }
  }
  return [...inner, ...outer];
}

// Put what a scope holds at its place in the whole picture.
function spread({ entries, passed }, left, top, places, lanes) {
  for (const [key, lane] of passed) {
    const moved = { ...lane, y: lane.y + top, x: lane.x + left, left: lane.left + left, right: lane.right + left };
    lanes.has(key) ? lanes.get(key).push(moved) : lanes.set(key, [moved]);
  }
  for (const entry of entries) {
    const x = left + entry.x, y = top + entry.y;
    if (!entry.gap) places.set(entry.thing, { x, y, wide: entry.wide, high: entry.high });
    if (entry.held) spread(entry.held, x + (entry.wide - entry.held.wide) / 2, y + TITLE, places, lanes);
  }
}
