// The lines between shown things. All uses of one thing by another are one line.

// Return [{ a, b, uses: [[x, y], …], path, left, right, top, bottom }, …].
function routes(model, { places, lanes }) {
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

// Return the path of a line, and the rectangle around it.
function line(model, { a, b, uses: [[x, y]] }, places, lanes) {
  const meet = model.meeting(x, y), start = places.get(a), end = places.get(b);
  const points = [[start.x + start.wide, start.y + start.high / 2]];
  const passed = [...within(model, a, meet.a).map(t => `${t},`), `${meet.a},${meet.b}`, ...within(model, b, meet.b).reverse().map(t => `,${t}`)];
  for (const lane of passed.flatMap(key => lanes.get(key) ?? [])) points.push([lane.x, lane.y], [lane.x + lane.wide, lane.y]);
  points.push([end.x, end.y + end.high / 2]);
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  return { path: curve(points), left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

// Return a thing and the scopes around it, the innermost first, as long as they stand within another thing.
function within(model, thing, outer) {
  const found = [];
  for (let t = thing; t !== outer; t = -1 - model.around(t)) found.push(t);
  return found;
}

// Return a path through points that leaves and enters each of them horizontally.
function curve(points) {
  const short = number => Math.round(number * 10) / 10;
  let path = `M${points[0].map(short)}`;
  for (let k = 1; k < points.length; k++) {
    const [[x0, y0], [x1, y1]] = [points[k - 1], points[k]], bend = Math.max((x1 - x0) / 2, Math.min(30, Math.abs(y1 - y0)));
    path += y0 === y1 ? `L${short(x1)},${short(y1)}` : `C${short(x0 + bend)},${short(y0)} ${short(x1 - bend)},${short(y1)} ${short(x1)},${short(y1)}`;
  }
  return path;
}
