// The lines between shown things. All uses of one thing by another are one line.

// Return [{ a, b, uses: [[x, y], …], path, left, right, top, bottom }, …].
export function routes(model, { places, lanes }) {
  const found = new Map();
  model.nodes.forEach((node, y) => {
    const b = model.shown(y);
    for (const x of node.inputs) {
      const a = model.shown(x);
      if (a === b) continue;
      const key = `${a},${b}`;
      if (!found.has(key)) found.set(key, { a, b, uses: [] });
      found.get(key).uses.push([x, y]);
    }
  });
  return [...found.values()].map(route => Object.assign(route, line(model, route, places, lanes)));
}

// Return the path of a line, the rectangle around it, and its pieces from box to lane to box.
function line(model, { a, b, uses: [[x, y]] }, places, lanes) {
  const meet = model.meeting(x, y), start = places.get(a), end = places.get(b);
  const passed = [
    ...within(model, a, meet.a).map(t => `${t},`),
    `${meet.a},${meet.b}`,
    ...within(model, b, meet.b).reverse().map(t => `,${t}`),
  ];
  const found = threaded(
    start.x + start.wide, start.y + start.high / 2, passed.flatMap(key => lanes.get(key) ?? []), end.x, end.y + end.high / 2,
  );
  const xs = found.points.map(point => point[0]), ys = found.points.map(point => point[1]);
  return { ...found, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

// Return a thing and the scopes around it, the innermost first, as long as they stand within another thing.
function within(model, thing, outer) {
  const found = [];
  for (let t = thing; t !== outer; t = -1 - model.around(t)) found.push(t);
  return found;
}

const CURVE = 10; // the radius of a turn
const short = number => Math.round(number * 10) / 10;

// Return a path from (x0, y0) through lanes to (x1, y1) that leaves and enters each of them horizontally, and its points.
function threaded(x0, y0, lanes, x1, y1) {
  const points = [[x0, y0]];
  let path = `M${short(x0)},${short(y0)}`, falling = null; // where a turn leads down
  const go = (x, y) => {
    const [px, py] = points.at(-1);
    path += falling === null ? bent(px, py, x, y) : `V${short(y - CURVE)}q0,${CURVE} ${CURVE},${CURVE}H${short(x)}`;
    falling = null;
    points.push([x, y]);
  };
  for (const { x, wide, right, y, left } of lanes) {
    if (wide !== undefined) {
      go(x, y);
      go(x + wide, y);
    } else {
      path += `H${short(right - CURVE)}q${CURVE},0 ${CURVE},${CURVE}V${short(y - CURVE)}q0,${CURVE} -${CURVE},${CURVE}`;
      path += `H${short(left + CURVE)}q-${CURVE},0 -${CURVE},${CURVE}`;
      points.push([right, y], [left, y]);
      falling = left;
    }
  }
  go(x1, y1);
  return { path, points };
}

function bent(x0, y0, x1, y1) {
  const bend = Math.max((x1 - x0) / 2, Math.min(30, Math.abs(y1 - y0)));
  return y0 === y1
    ? `L${short(x1)},${short(y1)}`
    : `C${short(x0 + bend)},${short(y0)} ${short(x1 - bend)},${short(y1)} ${short(x1)},${short(y1)}`;
}
