// Bundle the scripts of pages: `npm run build` in this folder, or `node build.mjs FOLDER`, which writes them below another folder.

import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = process.argv[2] ?? ROOT;
const ENTRIES = [
  "viz/page/src/explore.js",
  "tutorial/playground/src/playground.js",
  "tutorial/playground/src/worker.js",
  "tutorial/exercises/broken_engine/src/found.js",
  "tutorial/book/src/book.js",
  "tutorial/book/src/one_file.js",
  "tutorial/book/src/search.js",
  "tutorial/classroom/live/src/phone.js",
  "tutorial/classroom/live/src/teacher.js",
]; // one for each kind of page
const PLAY = "viz/page/src/play.js"; // what all pages of `play` need; the others stand after it in pages that need more
const ADDED = ["beside", "folded", "loops", "network", "slides"].map(name => `viz/page/src/play_${name}.js`);
const FIGURES = "tutorial/book/figures/src/figures.js"; // what a chapter with a figure needs; each figure stands after it
const STILLS = "tutorial/book/figures/src/stills.js"; // the figures' still pictures, for print, and their numbers, for tests
const IMPORT = /^import \{([^}]*)\} from "([^"]+)";$/gm;

const options = (entry, more) => ({
  absWorkingDir: ROOT,
  entryPoints: [entry],
  outfile: `${FOLDER}/${entry.replace("/src/", "/built/")}`,
  banner: { js: `// Built from ${entry} by .ci/page_scripts/build.mjs; do not edit.` },
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  ...more,
});

const modulesOf = async entry => Object.keys((await build(options(entry, { write: false, metafile: true }))).metafile.inputs);

// Return {module: names}: what scripts import of the modules that they share.
function namesShared(shared, modules) {
  const found = new Map();
  for (const module of new Set(modules))
    if (!shared.has(module))
      for (const [, names, place] of readFileSync(resolve(ROOT, module), "utf8").matchAll(IMPORT)) {
        const from = resolve(ROOT, module, "..", place).slice(ROOT.length), them = names.split(",").map(name => name.trim());
        if (shared.has(from)) found.set(from, new Set([...(found.get(from) ?? []), ...them.filter(Boolean)]));
      }
  return new Map([...found].map(([module, names]) => [module, [...names].sort()]).sort());
}

// Resolve these modules to what stands in a global of the page.
const fromGlobal = (global, names) => ({
  name: "from a global",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const module = resolve(resolveDir, path).slice(ROOT.length);
      return names.has(module) ? { path: module, namespace: global } : null;
    });
    onLoad({ filter: /./, namespace: global }, ({ path }) => ({ contents: `export const { ${names.get(path).join(", ")} } = ${global};` }));
  },
});

// Bundle a script with the modules that others share with it, which it exports as a global, and these others without them.
async function buildWithAdded(entry, global, shared, added, more = () => ({})) {
  const names = namesShared(shared, (await Promise.all(added.map(modulesOf))).flat());
  const exported = [...names].map(([module, them]) => `export { ${them.join(", ")} } from "./${module}";`).join("\n");
  const stdin = { contents: `${exported}\nimport "./${entry}";`, resolveDir: ROOT };
  await build(options(entry, { entryPoints: undefined, globalName: global, stdin }));
  for (const other of added) await build(options(other, { plugins: [fromGlobal(global, names)], ...more(other) }));
}

await buildWithAdded(PLAY, "page", new Set(await modulesOf(PLAY)), ADDED);
for (const entry of ENTRIES) await build(options(entry));

// The still pictures of the book's figures and their numbers, drawn by the same functions.
const { outputFiles } = await build({ absWorkingDir: ROOT, entryPoints: [STILLS], bundle: true, format: "esm", write: false });
const drawn = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
mkdirSync(`${FOLDER}/tutorial/book/figures/built`, { recursive: true });
writeFileSync(`${FOLDER}/tutorial/book/figures/built/figures.json`, `${JSON.stringify(drawn.default, null, 1)}\n`);

// A script for each figure. What two of them import is in the script that they share.
const nameOf = figure => figure.match(/(\w+)\.js$/)[1];
const figures = Object.keys(drawn.default).map(name => FIGURES.replace(/\w+\.js$/, `${name}.js`));
const used = (await Promise.all(figures.map(modulesOf))).flat();
const shared = new Set([...await modulesOf(FIGURES), ...used.filter((module, k) => used.indexOf(module) < k)]);
await buildWithAdded(FIGURES, "fig", shared, figures, figure => ({
  outfile: `${FOLDER}/${FIGURES.replace("/src/figures.js", `/built/figure_${nameOf(figure)}.js`)}`, globalName: `figures.${nameOf(figure)}`,
}));
