// Bundle the scripts of pages: `npm run build` in this folder, or `node build.mjs FOLDER`, which writes them below another folder.

import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ENTRIES = [
  "viz/page/src/play.js",
  "viz/page/src/play_network.js",
  "viz/page/src/play_loops.js",
  "viz/page/src/explore.js",
  "tutorial/playground/src/playground.js",
  "tutorial/playground/src/worker.js",
  "tutorial/broken_engine/src/found.js",
  "tutorial/book/src/book.js",
  "tutorial/book/src/one_file.js",
]; // one for each kind of page

for (const entry of ENTRIES)
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: `${process.argv[2] ?? "."}/${entry.replace("/src/", "/built/")}`,
    banner: { js: `// Built from ${entry} by .ci/page_scripts/build.mjs; do not edit.` },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
  });
