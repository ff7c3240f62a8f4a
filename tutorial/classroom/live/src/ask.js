// Ask the server, and listen to it.

import { at } from "./dom.js";

const PATIENCE = 8000; // milliseconds

// Post an object, and return the answer. An error has the `status` of the answer, and what the server `said`.
export async function post(path, data, headers = {}) {
  const given = { "Content-Type": "application/json", ...headers }, signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(path, { method: "POST", headers: given, body: JSON.stringify(data), signal });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.said), { status: response.status, said: answer.said });
  return answer;
}

// Show whether the server is there.
export function connected(on, said) {
  at("dot").className = on ? "dot" : "dot off";
  at("status").textContent = on ? said : "connecting …";
}

// Listen to a stream of states. The browser connects again by itself, and calls `gone`; if the server refuses the stream, `refused`.
export function listen(path, show, refused, gone = () => {}) {
  const source = new EventSource(path);
  source.onmessage = event => show(JSON.parse(event.data));
  source.onerror = () => {
    connected(false, "");
    if (source.readyState === EventSource.CLOSED) refused();
    else gone();
  };
  return source;
}
