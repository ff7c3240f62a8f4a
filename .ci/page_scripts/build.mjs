// Bundle the page's scripts: `npm run build` in this folder, or `node build.mjs FOLDER`, which writes them below another folder.

import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUNDLES = {
  "viz/page/built/play.js": "viz/page/src/play.js",
  "viz/page/built/explore.js": "viz/page/src/explore.js",
};

for (const [built, entry] of Object.entries(BUNDLES))
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: `${process.argv[2] ?? "."}/${built}`,
    banner: { js: `// Built from ${entry} by .ci/page_scripts/build.mjs; do not edit.` },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
  });
