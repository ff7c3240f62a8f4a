// The address of the page names the step.

export function writeAddress(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    // A sandboxed frame refuses a change of its address.
  }
}
