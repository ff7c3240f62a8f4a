// The paths from a variable to z: how many there are, and the first few. A graph can have 10²⁰ paths, so no function visits all of them.

// Return the number of the scene that shows the ways from an input to z.
export const waysIn = (near, v) => near.ways.find(([input]) => input === v)?.[1];

// Return the number of the scene in which the act Question tells of a function, if the ways from its input do not show it.
export const toldIn = (near, v) => near.told.find(([told]) => told === v)?.[1];

// Return the number of paths to z for each variable, over edges for which passes(edge) is true. Each edge is used once.
/** @param {Run} run @param {(edge: number) => boolean} passes */
export function countPaths(run, passes = () => true) {
  const counts = run.variables.map(() => 0);
  for (const v of run.order)
    counts[v] = v === run.z ? 1 : run.edgesFrom[v].reduce((sum, e) => sum + (passes(e) ? counts[run.edges[e].output] : 0), 0);
  return counts;
}

// Return the first `most` paths from v to z, each as a list of edges: those that carry something before those with a factor 0, and among
// them those through early children.
/** @param {Run} run */
export function firstPaths(run, v, most, partials) {
  const carries = run.variables.map(() => false), passes = e => partials[e] !== 0 && carries[run.edges[e].output];
  for (const x of run.order) carries[x] = x === run.z || run.edgesFrom[x].some(passes);
  const found = walkedPaths(run, v, most, passes), known = new Set(found.map(String));
  return [...found, ...(found.length < most ? walkedPaths(run, v, most, () => true) : []).filter(path => !known.has(`${path}`))].slice(
    0, most,
  );
}

// Return the first `most` paths over edges that `passes` lets through. Where it lets an edge through, z can be reached from there, so each
// path takes as many moves as it has edges.
function walkedPaths(run, v, most, passes) {
  const found = [], path = [], turns = [0]; // turns[k] is the next edge to try at the k-th variable of the path
  while (turns.length && found.length < most) {
    const here = path.length ? run.edges[path.at(-1)].output : v;
    const edge = here === run.z ? undefined : run.edgesFrom[here].filter(passes)[turns.at(-1)];
    if (here === run.z) found.push([...path]);
    if (edge === undefined) {
      turns.pop();
      path.pop();
      continue;
    }
    turns[turns.length - 1]++;
    path.push(edge);
    turns.push(0);
  }
  return found;
}

// Return the `most` paths from v to z whose products are largest in size, over edges for which passes(edge) is true. From each variable
// only as many are kept, the best of its children's: a part of a strong path is a strong path.
/** @param {Run} run */
function strongestPaths(run, v, most, partials, passes = () => true) {
  const best = run.variables.map(() => []), size = ({ product }) => Math.abs(product) || 0;
  for (const x of run.order)
    best[x] = x === run.z ? [{ path: [], product: 1 }] : run.edgesFrom[x].filter(passes)
      .flatMap(e => best[run.edges[e].output].map(({ path, product }) => ({ path: [e, ...path], product: partials[e] * product })))
      .sort((a, b) => size(b) - size(a)).slice(0, most);
  return best[v].map(({ path }) => path);
}

// Return whether an edge is drawn where a window shows only a part of the graph: the ways from v to z.
/** @param {Run} run */
function drawnFrom(run, v) {
  const ways = run.scene?.ways?.[0], number = ways && waysIn(ways, v);
  const drawn = number === undefined ? null : new Set(ways.scenes[number].edges);
  return e => !drawn || drawn.has(e);
}

// Return {paths, count, idle, example}: the paths from v to z that a page shows, of many the strongest; the number of all paths; the
// number of those that are left out because a factor is 0, so that nothing arrives along them. `example` is the path of several arrows that
// a page may show alone: the strongest of those that are drawn whole, else the strongest of all.
/** @param {Run} run */
export function leadingPaths(run, partials, v) {
  const count = countPaths(run)[v], carrying = countPaths(run, e => partials[e] !== 0)[v] || count;
  const isDrawn = drawnFrom(run, v);
  const size = path => Math.abs(path.reduce((product, e) => product * partials[e], 1)), long = path => path.length > 1;
  const idle = count > MOST_PATHS ? count - carrying : 0, few = count > MOST_PATHS ? Math.min(count - idle, MOST_PATHS) : count;
  const strongest = count > MOST_PATHS ? strongestPaths(run, v, few, partials) : firstPaths(run, v, few, partials);
  const whole = strongestPaths(run, v, few, partials, isDrawn).find(long);
  const example = whole ?? strongest.filter(long).sort((a, b) => size(b) - size(a))[0];
  const most = count - idle > MOST_PATHS ? FEWER_PATHS : few, first = strongest.slice(0, most);
  const isIn = !example || first.some(path => String(path) === String(example));
  return { paths: isIn ? first : [...first.slice(0, most - 1), example], count, idle, example };
}

// Return what arrives along each edge, and at each variable, to first order: along a path factors multiply, over several paths effects add.
/** @param {Run} run */
export function effects(run, partials, v, amount) {
  const arrived = run.variables.map(() => 0), carried = new Map();
  arrived[v] = amount;
  for (const x of [...run.order].reverse()) {
    if (arrived[x] === 0) continue;
    for (const e of run.edgesFrom[x]) {
      carried.set(e, arrived[x] * partials[e]);
      arrived[run.edges[e].output] += carried.get(e);
    }
  }
  return { carried, arrived };
}

// Return the effects along one path only.
export function effectsAlong(partials, path, amount) {
  const carried = new Map();
  for (const e of path) carried.set(e, (amount *= partials[e]));
  return carried;
}

export const MOST_PATHS = 3; // rows of the table

const FEWER_PATHS = 2; // of many paths only two are shown, and a count
