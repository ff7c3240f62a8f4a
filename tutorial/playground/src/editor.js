// An editor of programs: CodeMirror, which stands in a script of its own.

const WRONG = "wrong-line";

// Put an editor into an element and return it. `run` is called with Ctrl-Enter.
export const makeEditor = (place, run, more) =>
  CodeMirror(place, {
    mode: "python",
    indentUnit: 4,
    matchBrackets: true,
    lineWrapping: true,
    inputStyle: "contenteditable", // which screen readers and phones understand
    extraKeys: {
      "Ctrl-Enter": run,
      "Cmd-Enter": run,
      Tab: editor => (editor.somethingSelected() ? editor.indentSelection("add") : editor.execCommand("insertSoftTab")),
      "Shift-Tab": "indentLess",
      Esc: editor => editor.getInputField().blur(), // so that Tab leaves the editor
    },
    ...more,
  });

// Mark a line, counted from 1, or none.
export function markLine(editor, line) {
  for (let k = 0; k < editor.lineCount(); k++) editor.removeLineClass(k, "background", WRONG);
  if (line && line <= editor.lineCount()) editor.addLineClass(line - 1, "background", WRONG);
}
