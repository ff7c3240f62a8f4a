// The graph: nodes, scopes, which scopes are open, what leads to z. It does not know coordinates.
// A thing is what is shown: a node (its number), or a scope (-1 - its number). A link joins two things of one scope.

export const isScope = thing => thing < 0;
export const scopeOf = thing => -1 - thing;

export class Model {
  /** @param {GraphData} data */
  constructor({ nodes, scopes, z, about }) {
    this.nodes = nodes;
    this.scopes = scopes;
    this.z = z ?? null;
    this.about = about;
    for (const node of nodes) node.inputs ??= [];
    this.outputs = nodes.map(() => []);
    nodes.forEach((node, y) => node.inputs.forEach(x => this.outputs[x].push(y)));
    this.open = new Set([0, ...scopes.keys()].filter(scope => !scope || scopes[scope].open));
    this.chains = scopes.map((_, scope) => this.chain(scope));
    this.links = scopes.map(() => new Map());
    nodes.forEach((node, y) => node.inputs.forEach(x => {
      const { scope, a, b } = this.meeting(x, y);
      if (a !== b) this.links[scope].set(`${a},${b}`, [a, b]);
    }));
    this.countPaths();
  }

  // The scopes around a scope and itself, the outermost first.
  chain(scope) {
    const parent = this.scopes[scope].parent;
    return parent === undefined || parent === null ? [scope] : [...this.chain(parent), scope];
  }

  // The innermost scope around two nodes, and the things that stand for them in it.
  meeting(x, y) {
    const [around, other] = [x, y].map(v => this.chains[this.nodes[v].scope]);
    let k = 0;
    while (k < around.length && k < other.length && around[k] === other[k]) k++;
    return { scope: around[k - 1], a: k < around.length ? -1 - around[k] : x, b: k < other.length ? -1 - other[k] : y };
  }

  // The thing that shows a node: the outermost closed scope around it, or the node itself.
  shown(node) {
    const closed = this.chains[this.nodes[node].scope].find(scope => !this.open.has(scope));
    return closed === undefined ? node : -1 - closed;
  }

  // The scope that a thing stands in.
  around(thing) {
    return isScope(thing) ? this.scopes[scopeOf(thing)].parent : this.nodes[thing].scope;
  }

  reveal(thing) {
    for (const scope of this.chains[this.around(thing)]) this.open.add(scope);
  }

  toggle(scope) {
    if (this.open.has(scope))
      for (const inner of [...this.open]) {
        if (inner && this.chains[inner].includes(scope)) this.open.delete(inner);
      }
    else this.open.add(scope);
  }

  nodesIn(thing) {
    if (!isScope(thing)) return [thing];
    return [...this.nodes.keys()].filter(v => this.chains[this.nodes[v].scope].includes(scopeOf(thing)));
  }

  // All nodes on the paths from a thing to z.
  leading(thing) {
    const found = new Set(this.nodesIn(thing));
    for (const x of found) for (const y of this.outputs[x]) found.add(y); // a Set visits what is added meanwhile
    return found;
  }

  // Count the paths from each node to z, or to any end of the graph. Inputs stand before what they lead to.
  countPaths() {
    this.paths = new Array(this.nodes.length).fill(0);
    for (let x = this.nodes.length - 1; x >= 0; x--)
      this.paths[x] = this.outputs[x].length ? this.outputs[x].reduce((sum, y) => sum + this.paths[y], 0) : 1;
  }

  // The blocks of memory that functions of a thing saved: {their number, their bytes}. A block counts once.
  memory(thing) {
    const blocks = new Map();
    for (const v of this.nodesIn(thing)) for (const [, , bytes, block] of this.nodes[v].saved ?? []) if (block) blocks.set(block, bytes);
    return { blocks: blocks.size, bytes: [...blocks.values()].reduce((sum, bytes) => sum + bytes, 0) };
  }
}
