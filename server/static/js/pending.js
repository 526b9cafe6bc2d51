// Photos that could not be sent yet wait on the phone, also when the page is dropped.

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('stationmaster', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('photos');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function ask(mode, work) {
  try {
    const database = await open();
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction('photos', mode);
      const request = work(transaction.objectStore('photos'));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
    });
  } catch {
    return undefined; // no storage in private browsing: the photo then waits only as long as the page is open
  }
}

export const keepPhoto = (key, blob) => ask('readwrite', (photos) => photos.put(blob, key));
export const keptPhoto = (key) => ask('readonly', (photos) => photos.get(key));
export const dropPhoto = (key) => ask('readwrite', (photos) => photos.delete(key));

/** Forget what this device kept of a game; with `round`, only of the rounds that are over. */
export async function forgetKept(gameId, round = null) {
  const old = (key) => key.startsWith(`draft:${gameId}:`) && (round === null || Number(key.split(':')[2]) < round);
  for (const key of (await ask('readonly', (photos) => photos.getAllKeys())) || []) if (old(key)) await dropPhoto(key);
  try {
    for (const key of Object.keys(localStorage)) if (old(key)) localStorage.removeItem(key);
  } catch { /* private browsing: nothing was kept */ }
}
