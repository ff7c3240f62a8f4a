// Where the entries of each rank stand, if their order is known: as near to their neighbours as their sizes allow (least squares).
// viz/layout/heights.py computes the same, for graphs without closed scopes; a test holds both equal.

import { DOWN } from "./sizes.js";

const PASSES = 4; // over all ranks, from the first to the last or back
const STRAIGHT = 3; // how much two gaps of a line count for each other, so that it is straight
const SLIGHT = 0.1; // how much a leaf with one link counts: it makes way for others
const CENTRE = 0.6; // how much the centre of the graph counts, so that a long graph does not slope

const own = ({ near: [before, after] }) => (!before.length && after.length === 1 ? SLIGHT : 1);
const counts = (entry, other) => own(other) * (entry.gap && other.gap ? STRAIGHT : 1);

// Give each entry a `middle` near those of its neighbours, `near`, before it and after it. The order within a rank stays.
export function align(ranks) {
  const offsets = new Map(ranks.map(rank => [rank, offsetsOf(rank)]));
  for (const rank of ranks) {
    const found = offsets.get(rank), first = rank[0], last = rank.at(-1);
    rank.forEach((entry, k) => { entry.middle = found[k] - found.at(-1) / 2 + (first.high - last.high) / 4; });
  }
  for (let pass = 0; pass < PASSES; pass++)
    for (const rank of pass % 2 ? [...ranks].reverse() : ranks) {
      const found = settled(offsets.get(rank), rank.map(wish), rank.map(own));
      rank.forEach((entry, k) => { entry.middle = found[k]; });
    }
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
  return near.reduce((sum, [y, count]) => sum + count * y, 0) / near.reduce((sum, [, count]) => sum + count, CENTRE);
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
