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
  "tutorial/broken_engine/src/found.js",
  "tutorial/book/src/book.js",
  "tutorial/book/src/one_file.js",
  "tutorial/book/src/search.js",
  "tutorial/book/figures/src/figures.js",
]; // one for each kind of page
const PLAY = "viz/page/src/play.js"; // what all pages of `play` need; the others stand after it in pages that need more
const ADDED = ["beside", "folded", "loops", "network", "slides"].map(name => `viz/page/src/play_${name}.js`);
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

// Return {module: names}: what the added scripts import of the modules of PLAY. They find it in the global `page`, which PLAY exports.
async function namesShared(shared) {
  const found = new Map();
  for (const module of new Set((await Promise.all(ADDED.map(modulesOf))).flat()))
    if (!shared.has(module))
      for (const [, names, place] of readFileSync(resolve(ROOT, module), "utf8").matchAll(IMPORT)) {
        const from = resolve(ROOT, module, "..", place).slice(ROOT.length), them = names.split(",").map(name => name.trim());
        if (shared.has(from)) found.set(from, new Set([...(found.get(from) ?? []), ...them.filter(Boolean)]));
      }
  return new Map([...found].map(([module, names]) => [module, [...names].sort()]).sort());
}

// Resolve these modules to what stands in the global `page`.
const fromPage = names => ({
  name: "from page",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const module = resolve(resolveDir, path).slice(ROOT.length);
      return names.has(module) ? { path: module, namespace: "page" } : null;
    });
    onLoad({ filter: /./, namespace: "page" }, ({ path }) => ({ contents: `export const { ${names.get(path).join(", ")} } = page;` }));
  },
});

const shared = new Set(await modulesOf(PLAY)), names = await namesShared(shared);
const exported = [...names].map(([module, them]) => `export { ${them.join(", ")} } from "./${module}";`).join("\n");
await build(options(PLAY, {
  entryPoints: undefined, globalName: "page", stdin: { contents: `${exported}\nimport "./${PLAY}";`, resolveDir: ROOT },
}));
for (const entry of ADDED) await build(options(entry, { plugins: [fromPage(names)] }));
for (const entry of ENTRIES) await build(options(entry));

// The still pictures of the book's figures and their numbers, drawn by the same functions.
const stills = "tutorial/book/figures/src/stills.js";
const { outputFiles } = await build({ absWorkingDir: ROOT, entryPoints: [stills], bundle: true, format: "esm", write: false });
const drawn = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
mkdirSync(`${FOLDER}/tutorial/book/figures/built`, { recursive: true });
writeFileSync(`${FOLDER}/tutorial/book/figures/built/figures.json`, `${JSON.stringify(drawn.default, null, 1)}\n`);
