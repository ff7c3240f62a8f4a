// What is wrong in a script whatever it does.

import globals from "globals";

const rules = {
  "array-callback-return": "error",
  complexity: ["error", 20],
  eqeqeq: "error",
  "max-len": ["error", { code: 140 }],
  "no-cond-assign": ["error", "except-parens"],
  "no-const-assign": "error",
  "no-dupe-args": "error",
  "no-dupe-class-members": "error",
  "no-dupe-else-if": "error",
  "no-dupe-keys": "error",
  "no-duplicate-case": "error",
  "no-duplicate-imports": "error",
  "no-fallthrough": "error",
  "no-func-assign": "error",
  "no-global-assign": "error",
  "no-import-assign": "error",
  "no-redeclare": "error",
  "no-self-assign": "error",
  "no-shadow": "error",
  "no-sparse-arrays": "error",
  "no-this-before-super": "error",
  "no-undef": "error",
  "no-unreachable": "error",
  "no-unsafe-finally": "error",
  "no-unsafe-negation": "error",
  "no-unsafe-optional-chaining": "error",
  "no-unused-vars": "error",
  "no-useless-return": "error",
  "no-var": "error",
  "prefer-const": ["error", { destructuring: "all" }],
  "sort-imports": ["error", { ignoreDeclarationSort: true }],
  "valid-typeof": "error",
};

const named = (file, ...names) => ({
  files: [file],
  languageOptions: { globals: Object.fromEntries(names.map(name => [name, "readonly"])) },
});

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" }, rules },
  { ignores: ["**/built/**"] },
  { files: ["**/*.js"], languageOptions: { globals: globals.browser } },
  // What stands in the page, or in another script of it:
  named("viz/page/src/**", "programsOf"),
  named("tutorial/playground/src/editor.js", "CodeMirror"),
  named("tutorial/playground/src/worker.js", "LOCK", "Viz", "_createPyodideModule", "loadPyodide"),
  named("tutorial/book/src/chapters.js", "chapters"),
  named("tutorial/book/src/search.js", "Search", "Stemmer", "searched"),
  named("tutorial/book/figures/src/figures.js", "figures"),
  { files: ["**/*.mjs", "**/*.cjs"], languageOptions: { globals: globals.node } },
];
