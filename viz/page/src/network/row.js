// Which boxes of a network stand in the row: scopes are open where something is looked at, and boxes without room are "… 3 more".

// Return [{ box, path } or { more: [boxes] }]: at most `most` things, among them the boxes that hold a variable of `looked`, the most
// important first. `path` are the names of the open scopes around a box.
export function rowOf(boxes, looked, most) {
  const row = boxes.map(box => ({ box, path: [] }));
  const holds = box => looked.some(v => box.holds.includes(v));
  for (;;) {
    const at = row.findIndex(({ box }) => box.boxes && holds(box));
    if (at < 0) break;
    const { box, path } = row[at];
    row.splice(at, 1, ...box.boxes.map(inner => ({ box: inner, path: [...path, box.name] })));
  }
  if (row.length <= most) {
    // There is room to open more, from the left.
    for (let at = 0; at < row.length; at++) {
      const { box, path } = row[at];
      if (box.boxes && row.length - 1 + box.boxes.length <= most)
        row.splice(at--, 1, ...box.boxes.map(inner => ({ box: inner, path: [...path, box.name] })));
    }
    return row;
  }
  return folded(row, row.map(({ box }) => Math.min(...[...looked.keys()].filter(k => box.holds.includes(looked[k])), looked.length)),
    looked, most);
}

// Keep the boxes that are looked at, then the last one, their neighbours and the first one, as far as there is room.
function folded(row, ranks, looked, most) {
  const last = row.length - 1, kept = new Set();
  const wanted = [...row.keys()].filter(k => ranks[k] < looked.length).sort((a, b) => ranks[a] - ranks[b]);
  const things = () => {
    let count = 0;
    row.forEach((_, k) => (count += kept.has(k) || kept.has(k - 1) || k === 0 ? 1 : 0));
    return count;
  };
  const keep = k => {
    if (k < 0 || k > last || kept.has(k)) return;
    kept.add(k);
    if (things() > most) kept.delete(k);
  };
  [...wanted.slice(0, 1), last, ...wanted].forEach(keep);
  for (let distance = 1; distance <= row.length; distance++) {
    for (const k of wanted) [k + distance, k - distance].forEach(keep);
    if (distance === 1) [0, last - 1].forEach(keep);
  }
  const found = [];
  row.forEach((thing, k) => {
    if (kept.has(k)) found.push(thing);
    else if (found.at(-1)?.more) found.at(-1).more.push(thing.box);
    else found.push({ more: [thing.box] });
  });
  return found.map(thing => (thing.more?.length === 1 ? { box: thing.more[0], path: [] } : thing));
}

// Return the edges between the things of a row as [from, to], each once: a thing that gives an array to a later one.
export function linksOf(row, inputs) {
  const holders = row.map(({ box, more }) => new Set(box ? box.holds : more.flatMap(one => one.holds)));
  const where = v => holders.findIndex(held => held.has(v)), found = new Map();
  holders.forEach((held, to) => held.forEach(v => inputs(v).forEach(x => {
    const from = where(x);
    if (from >= 0 && from !== to) found.set(`${Math.min(from, to)} ${Math.max(from, to)}`, [Math.min(from, to), Math.max(from, to)]);
  })));
  return [...found.values()];
}
