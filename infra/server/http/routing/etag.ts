/** Conditional GET (RFC 9110, sections 8.8 and 13.1.2). */

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Weak comparison, as If-None-Match requires. */
export const noneMatches = (ifNoneMatch: string | undefined, etag: string | undefined): boolean => {
  if (ifNoneMatch === undefined || etag === undefined) return true;
  if (ifNoneMatch.trim() === '*') return false;
  return !(ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === opaque(etag));
};
