// NumPy's wheel for the page's Python. It is fetched only if the reader says so, checked by its digest, and kept by this browser.
// An offer says where it is: {address, file, sha256}. tutorial/playground/numpy_wheel.py writes it.

const STORE = "gradsteps", WHEELS = "wheels";

// Return what `ask` asks of the store of this browser, or null if it keeps nothing for this page.
function inStore(mode, ask) {
  return new Promise(resolve => {
    try {
      const opening = indexedDB.open(STORE, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(WHEELS);
      opening.onerror = () => resolve(null);
      opening.onsuccess = () => {
        const asked = ask(opening.result.transaction(WHEELS, mode).objectStore(WHEELS));
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => resolve(null);
      };
    } catch {
      resolve(null);
    }
  });
}

async function digest(content) {
  if (!crypto.subtle) throw new Error("This page cannot check what it fetches; open it from a file, or over https.");
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
}

export const hostOf = ({ address }) => new URL(address).host;

// Return the wheel that this browser has kept, or null.
export async function keptWheel({ sha256 }) {
  const content = await inStore("readonly", store => store.get(sha256));
  return content && (await digest(content)) === sha256 ? new Uint8Array(content) : null;
}

// Return the wheel. Nothing else is kept, and nothing is used whose digest differs.
export async function fetchedWheel(offer) {
  let content;
  try {
    const response = await fetch(offer.address);
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    content = await response.arrayBuffer();
  } catch (error) {
    const why = /** @type {Error} */ (error).message;
    throw new Error(`NumPy could not be fetched from ${hostOf(offer)} (${why}). With a network, try again.`);
  }
  if ((await digest(content)) !== offer.sha256) {
    throw new Error(`What ${hostOf(offer)} sent is not ${offer.file}: its digest differs. Nothing was kept.`);
  }
  await inStore("readwrite", store => store.put(content, offer.sha256));
  return new Uint8Array(content);
}
