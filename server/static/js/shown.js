// Photos as pages show them, fetched once each: a page that is drawn anew with all news need not ask for them again,
// and one that is told that a photo is being read has it when the reading comes.

import { h } from './lib.js';

const MOST = 4; // photos kept in memory
const photos = new Map(); // address -> { src, image, arrives }

/** Have a photo at hand. `arrives` gives the address to draw it from, `src` is it once it is here. */
export function fetchPhoto(url) {
  if (!photos.has(url)) {
    const photo = { src: null, image: new Image() };
    photo.arrives = load(url, photo).catch(() => { photos.delete(url); return url; });
    photos.set(url, photo);
    for (const [old, { src }] of [...photos].slice(0, -MOST)) {
      photos.delete(old);
      if (src) URL.revokeObjectURL(src);
    }
  }
  return photos.get(url);
}

async function load(url, photo) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(answer.statusText);
  photo.image.src = URL.createObjectURL(await answer.blob());
  await photo.image.decode();
  photo.src = photo.image.src;
  return photo.src;
}

/** A photo as part of a drawing in its own coordinates. */
export function photoImage({ url, size: [width, height] }) {
  const photo = fetchPhoto(url);
  const image = h('image', { href: photo.src, width, height });
  if (!photo.src) photo.arrives.then((src) => image.setAttribute('href', src));
  return image;
}
