// Loaded into the driver: a command that this Firefox does not know yet counts as done. The driver sets its emulated media with
// such a command for every context, and would otherwise not open one.
const parse = JSON.parse
const unknown = answer => answer?.type === "error" && answer.error === "unknown command"
JSON.parse = (...text) => {
  const answer = parse(...text)
  return unknown(answer) ? { type: "success", id: answer.id, result: {} } : answer
}
