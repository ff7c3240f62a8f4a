// Listen to the window while the current player is shown.

let watching = new AbortController();

export const listen = (event, heard, options = {}) => addEventListener(event, heard, { ...options, signal: watching.signal });

export function stopListening() {
  watching.abort();
  watching = new AbortController();
}
