// Keeps the shell of the pages on a device, so that they open while the computer can't be reached. Only the files
// listed above: never data, never photos. What the server has goes first, always: an update is never hidden.

const NAME = `shell-${VERSION}`;
const PATIENCE_MS = 5000;
const KNOWN = new Set(FILES);
const NO_PAGES = ['/api/', '/docs', '/openapi', '/certificate.crt', '/static/', '/texts/', '/healthz', '/sw.js'];

addEventListener('install', (event) => event.waitUntil((async () => {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((path) => new Request(path, { cache: 'no-cache' })));
  await skipWaiting();
})()));

addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
  await clients.claim();
})()));

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (!NO_PAGES.some((start) => pathname.startsWith(start))) event.respondWith(serverFirst(request, '/'));
  } else if (KNOWN.has(pathname)) event.respondWith(serverFirst(request, pathname));
});

async function serverFirst(request, kept) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    return await fetch(request, { signal: patience.signal });
  } catch (error) {
    const found = await (await caches.open(NAME)).match(kept);
    if (found) return found;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
