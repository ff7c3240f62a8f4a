// The passes of folded loops: which of them a variable stands for, and their graphs, of which Python wrote what they share only once.

// Return the data of a page whose graphs to open have those of passes: "31.7" is pass 7 of the loop of variable 31, "31" the first one.
/** @param {PageData} data */
export function withPasses(data) {
  for (const { shown, passes, graphs, live, ...loop } of data.loops ?? []) {
    const opened = passes.map((pass, k) => withPasses({ ...part(graphs, k), ...part(live, k), passes, pass, ...loop }));
    for (const [v, [first, last]] of Object.entries(shown))
      if (first < last && opened.length) {
        data.scalarGraphs = { ...data.scalarGraphs, [v]: { ...opened[0], of: v } };
        for (const graph of opened) data.scalarGraphs[`${v}.${graph.pass}`] = { ...graph, of: v };
      }
  }
  return data;
}

// Return one of the trees that Python put together: where they differ it wrote { each: parts }.
function part(tree, k) {
  if (Array.isArray(tree)) return tree.map(branch => part(branch, k));
  if (tree === null || typeof tree !== "object") return tree;
  if (tree.each) return tree.each[k];
  return Object.fromEntries(Object.entries(tree).map(([key, branch]) => [key, part(branch, k)]));
}

// Return the loop of a variable, undefined if it is in none.
/** @param {Run} run */
export const loopOf = (run, v) => run.loops?.find(({ shown }) => shown[v]);

// Return "pass 3 of 20", or "passes 2 to 19 of 20"; "" for a variable in no loop.
/** @param {Run} run */
export function passesAt(run, v) {
  const { shown, many } = loopOf(run, v) ?? {};
  if (!shown) return "";
  const [first, last] = shown[v];
  return `${first === last ? `pass ${first}` : `passes ${first} to ${last}`} of ${many}`;
}
