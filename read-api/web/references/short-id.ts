/** Long ids as people compare them: by their beginning. */

const visibleCharacters = 8;

/** UUIDs and hashes; chosen ids, as the name of a source, stay whole. */
const isGenerated = (id: string): boolean => /^[0-9a-f-]{32,}$/i.test(id) || /^[A-Za-z0-9_-]{40,}$/.test(id);

/** `main~7d9f1c9e` of a client's id, which begins with its tenant. */
export const shortId = (id: string): string => {
  const [, tenant = '', own = id] = /^([a-z0-9-]+[~.])(.+)$/.exec(id) ?? [];
  return isGenerated(own) ? `${tenant}${own.slice(0, visibleCharacters)}` : id;
};

/** A stream's name with its hash shortened; UUIDs stay whole, for they can be searched for. */
export const shortStream = (stream: string): string =>
  stream.replace(/(?<=\.)[A-Za-z0-9_-]{40,}$/, (id) => `${id.slice(0, visibleCharacters)}…`);
