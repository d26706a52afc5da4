/** Loads the places of thumbnails. A film without them is sought in without pictures. */
import { useEffect, useState } from 'preact/hooks';
import { readThumbnails, type Thumbnail } from './thumbnails';

export const useThumbnails = (url: string | null): readonly Thumbnail[] => {
  const [thumbnails, show] = useState<readonly Thumbnail[]>([]);
  useEffect(() => {
    if (url === null) return undefined;
    const leaving = new AbortController();
    const base = new URL(url, location.href).href;
    fetch(base, { signal: leaving.signal })
      .then(async (response) => (response.ok ? show(readThumbnails(await response.text(), base)) : undefined))
      .catch(() => undefined);
    return () => leaving.abort();
  }, [url]);
  return thumbnails;
};
