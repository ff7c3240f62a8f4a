// Settings of an editor of programs. `run` is called with Ctrl-Enter.

const editorSettings = run => ({
  mode: "python",
  indentUnit: 4,
  matchBrackets: true,
  lineWrapping: true,
  inputStyle: "contenteditable", // which screen readers and phones understand
  extraKeys: {
    "Ctrl-Enter": run,
    "Cmd-Enter": run,
    Tab: cm => (cm.somethingSelected() ? cm.indentSelection("add") : cm.execCommand("insertSoftTab")),
    "Shift-Tab": "indentLess",
    Esc: cm => cm.getInputField().blur(), // so that Tab leaves the editor
  },
});
