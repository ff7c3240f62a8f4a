// Where the entries of each rank stand, if their order is known: as near to their neighbours as their sizes allow (least squares).
// viz/layout/heights.py computes the same, for graphs without closed scopes; a test holds both equal.

import { DOWN } from "./sizes.js";

const PASSES = 4, LEVELLING = 2; // over all ranks, from the first to the last or back; more with main chains level
const STRAIGHT = 3; // how much two gaps of a line count for each other, so that it is straight
const SLIGHT = 0.1; // how much a leaf with one link counts: it makes way for others
const CENTRE = 0.6; // how much the centre of the graph counts, so that a long graph does not slope
const MAIN = 2; // times as much must lead to a main neighbour as to each other
const FIRM = 10000; // how much a thing of a main chain counts while it is made level

const own = ({ near: [before, after] }) => (!before.length && after.length === 1 ? SLIGHT : 1);
const counts = (entry, other) => own(other) * (entry.gap && other.gap ? STRAIGHT : 1);

// Give each entry a `middle` near those of its neighbours, `near`, before it and after it. The order within a rank stays.
export function align(ranks) {
  const offsets = new Map(ranks.map(rank => [rank, offsetsOf(rank)])), level = new Map(); // thing of a main chain → the height of the chain
  for (const rank of ranks) {
    const found = offsets.get(rank), first = rank[0], last = rank.at(-1);
    rank.forEach((entry, k) => { entry.middle = found[k] - found.at(-1) / 2 + (first.high - last.high) / 4; });
  }
  for (let pass = 0; pass < PASSES + LEVELLING; pass++) {
    if (pass === PASSES)
      for (const chain of mainChains(ranks)) {
        const height = chain.reduce((sum, { middle }) => sum + middle, 0) / chain.length;
        for (const entry of chain) level.set(entry, height);
      }
    for (const rank of pass % 2 ? [...ranks].reverse() : ranks) {
      const wishes = rank.map(entry => level.get(entry) ?? wish(entry));
      const weights = rank.map(entry => (level.has(entry) ? FIRM : own(entry)));
      const found = settled(offsets.get(rank), wishes, weights);
      rank.forEach((entry, k) => { entry.middle = found[k]; });
    }
  }
}

// Return chains of things, each the main neighbour of the next, in both directions: much more leads to it than to others there.
function mainChains(ranks) {
  const main = mains(ranks, 0), following = mains([...ranks].reverse(), 1), found = new Map();
  for (const entry of ranks.flat()) {
    const before = main.get(entry);
    if (before && following.get(before) === entry) found.set(entry, [...(found.get(before) ?? [before]), entry]);
  }
  return [...found].filter(([entry]) => main.get(following.get(entry)) !== entry).map(([, chain]) => chain);
}

// Return Map(thing → its main neighbour on a side). What leads to a thing is shared equally by the links from there.
function mains(ranks, side) {
  const flow = new Map(), found = new Map(), standing = other => other.on ?? other;
  for (const entry of ranks.flat()) {
    const near = entry.near[side].map(standing);
    flow.set(entry, (entry.gap ? 0 : 1) + near.reduce((sum, other) => sum + flow.get(other) / other.near[1 - side].length, 0));
    const [best, second] = near.filter(other => !other.gap).sort((a, b) => flow.get(b) - flow.get(a));
    if (!entry.gap && best && (!second || flow.get(best) >= MAIN * flow.get(second))) found.set(entry, best);
  }
  return found;
}

// Return how far below the first entry of a rank each of its entries stands at least.
function offsetsOf(rank) {
  const found = [0];
  for (let k = 1; k < rank.length; k++) found.push(found[k - 1] + (rank[k - 1].high + rank[k].high) / 2 + DOWN);
  return found;
}

// Return the mean of the places of an entry's neighbours and of the centre, 0. What stands on a shelf is where the shelf is.
function wish(entry) {
  const near = entry.near.flat().map(other => [(other.on ?? other).middle, counts(entry, other)]);
  return near.reduce((sum, [y, count]) => sum + count * y, 0) / (CENTRE + near.reduce((sum, [, count]) => sum + count, 0));
}

// Return places as near as possible to wishes, each at least so far below the first as its offset: pool adjacent violators.
function settled(offsets, wishes, weights) {
  const pools = [];
  wishes.forEach((wished, k) => {
    let pool = { sum: weights[k] * (wished - offsets[k]), weight: weights[k], many: 1 };
    while (pools.length && pools.at(-1).sum * pool.weight > pool.sum * pools.at(-1).weight) {
      const above = pools.pop();
      pool = { sum: above.sum + pool.sum, weight: above.weight + pool.weight, many: above.many + pool.many };
    }
    pools.push(pool);
  });
  return pools.flatMap(({ sum, weight, many }) => Array(many).fill(sum / weight)).map((first, k) => first + offsets[k]);
}
