// A scope that is wider than the window stands in several rows, one below the other. A line that goes on in the next row
// turns between them.

import { lanesAbove, lanesBelow, outerLanes, placeOnShelf } from "./shelves.js";
import { ASIDE, LANE, MOST_TURNS, TURN } from "./sizes.js";

const MOST_ROWS = 40; // of a scope

// Give the entries of a scope their places, x and y. Return its lanes as [key, lane], and its size.
export function inRows(ranks, chains, screen, space) {
  const columns = ranks.map(rank => extent(rank)), rows = bestRows(columns, screen, space), turns = turnsOf(chains, rows, ranks);
  const margin = rows.length > 1 ? ASIDE : 0;
  const between = space.between + TURN * Math.min(MOST_TURNS, new Set(turns.map(turn => turn.from)).size);
  const wide = Math.max(0, ...rows.map(row => row.wide)) + 2 * margin;
  let y = 0;
  for (const row of rows) {
    let x = margin;
    Object.assign(row, { y, right: margin + row.wide });
    for (let r = row.first; r < row.end; r++) {
      for (const entry of ranks[r])
        Object.assign(entry, {
          x: entry.gap || entry.shelf ? x : x + (columns[r].wide - entry.wide) / 2, y: y + entry.middle - entry.high / 2 - row.top,
        });
      for (const entry of ranks[r]) if (entry.gap) entry.wide = columns[r].wide;
      for (const entry of ranks[r]) if (entry.shelf) placeOnShelf(entry);
      x += columns[r].wide + space.across;
    }
    y += row.high + between;
  }
  const passed = [...lanesOf(chains, turns, margin, space), ...(space.highest ? outerLanes(ranks, chains) : [])];
  return {
    passed: margin ? [...entering(ranks[0]), ...passed, ...leaving(ranks.at(-1), wide)] : passed, wide, high: Math.max(0, y - between),
  };
}

// Return the width of a rank, and where it begins and ends above and below the line in the middle.
function extent(rank) {
  return {
    wide: Math.max(0, ...rank.map(entry => entry.wide)), top: Math.min(...rank.map(entry => entry.middle - entry.high / 2)),
    bottom: Math.max(...rank.map(entry => entry.middle + entry.high / 2)),
  };
}

// Return the fewest rows with which a scope is shown as large as possible: [{ first, end, wide, high, top }], ranks from `first` to
// before `end`.
function bestRows(columns, screen, space) {
  let best = null, largest = 0;
  for (let n = 1; n <= Math.min(MOST_ROWS, Math.max(columns.length, 1)) && largest < 1; n++) {
    const rows = split(columns, n, space.across), wide = Math.max(0, ...rows.map(row => row.wide)) + (n > 1 ? 2 * ASIDE : 0);
    const high = rows.reduce((sum, row) => sum + row.high + space.between, 0);
    const scale = Math.min(screen.wide / wide, screen.high / high, 1);
    if (!best || scale > 1.05 * largest) [best, largest] = [rows, scale];
  }
  return best;
}

// Return the ranks in about n rows of about the same width.
function split(columns, n, across) {
  const whole = columns.reduce((sum, { wide }) => sum + wide + across, 0), widest = Math.max(whole / n, ...columns.map(({ wide }) => wide));
  const rows = [];
  columns.forEach(({ wide, top, bottom }, r) => {
    const row = rows.at(-1);
    if (row && row.wide + across + wide <= widest + across)
      Object.assign(row, { end: r + 1, wide: row.wide + across + wide, top: Math.min(row.top, top), bottom: Math.max(row.bottom, bottom) });
    else rows.push({ first: r, end: r + 1, wide, top, bottom });
  });
  for (const row of rows) row.high = row.bottom - row.top;
  return rows;
}

// Return the turns of lines: { chain, k, from, row, next }, before entry k of a chain. Lines from one entry turn together.
function turnsOf(chains, rows, ranks) {
  if (rows.length < 2) return [];
  const rowOf = new Map(rows.flatMap(row => ranks.slice(row.first, row.end).flat().map(entry => [entry, row]))), found = [];
  for (const [, chain] of chains)
    for (let k = 1; k < chain.length; k++) {
      const [row, next] = [chain[k - 1], chain[k]].map(entry => rowOf.get(entry.on ?? entry));
      if (row !== next && next.first > row.first) found.push({ chain, k, from: chain[0], row, next });
    }
  return found;
}

// Return [key, lane] for all links, in order from end to end.
function lanesOf(chains, turns, margin, space) {
  const before = new Map(turns.map(turn => [turn.chain[turn.k], []])), found = [], places = new Map();
  for (const turn of turns) before.get(turn.chain[turn.k]).push(turn);
  for (const { from, next } of turns) {
    if (!places.has(next)) places.set(next, new Map());
    const taken = places.get(next);
    if (!taken.has(from)) taken.set(from, taken.size % MOST_TURNS);
  }
  for (const [key, chain] of chains)
    chain.forEach((entry, k) => {
      const turn = before.get(entry)?.find(other => other.chain === chain && other.k === k);
      if (turn) found.push([key, turned(turn, places.get(turn.next).get(turn.from), margin, space)]);
      if (entry.gap) found.push([key, { x: entry.x, wide: entry.wide, y: entry.y + LANE / 2 }]);
      if (entry.on && k) found.push(...lanesAbove(entry).map(lane => [key, lane]));
      if (entry.on && k < chain.length - 1) found.push(...lanesBelow(entry).map(lane => [key, lane]));
    });
  return found;
}

// The lanes between the sides of a scope and what stands in its first and its last rank: lines cross the margins straight.
const standing = rank => rank.flatMap(entry => entry.shelf ?? entry);
const entering = rank =>
  standing(rank).map(entry => [entry.gap ?? `,${entry.thing}`, lanesToward(entry)]).filter(([key]) => key.startsWith(","));
const leaving = (rank, wide) =>
  standing(rank).map(entry => [entry.gap ?? `${entry.thing},`, lanesAway(entry, wide)]).filter(([key]) => key.endsWith(","));

function lanesToward(entry) {
  const [above] = entry.on ? lanesAbove(entry) : [];
  return { x: 0, wide: above ? above.x : entry.x, y: above ? above.y : entry.y + entry.high / 2 };
}

function lanesAway(entry, wide) {
  const [below] = entry.on ? lanesBelow(entry) : [], from = below ? below.x + below.wide : entry.x + entry.wide;
  return { x: from, wide: wide - from, y: below ? below.y : entry.y + entry.high / 2 };
}

// Return the lane of a turn: from the right end of a row back to the left end of a later one.
function turned({ row, next }, n, margin, space) {
  const aside = TURN * (n + 1.5);
  return { right: row.right + aside, y: next.y - space.between / 2 - TURN * n, left: margin - aside };
}
