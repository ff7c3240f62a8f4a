// Compile modules in the Python for browsers, with the library and the packages of the playground. Node runs this when a page is built.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { python, folder, ours } = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(`${python}/pyodide.mjs`).href);
try {
  const runs = await loadPyodide({
    indexURL: python,
    stdLibURL: `${folder}/stdlib.zip`,
    env: { PYTHONNODEBUGRANGES: "1" }, // a line of our files needs no columns, which take a quarter of the space
  });
  runs.unpackArchive(new Uint8Array(readFileSync(`${folder}/packages.zip`)), "zip");
  runs.pyimport("tutorial.playground.compile_modules").write("/compiled.zip", runs.toPy(ours));
  writeFileSync(`${folder}/compiled.zip`, runs.FS.readFile("/compiled.zip"));
} catch (error) {
  console.error(error.message); // without the megabyte of source that Node prints
  process.exitCode = 1;
}
