/** Which page has an address. The gateway matches in the same way, to send the page's policy. */

export type Params = Readonly<Record<string, string>>;

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Parameters of a path by a pattern like `/console/streams/:stream`; undefined: no match. */
export const matched = (pattern: string, path: string): Params | undefined => {
  const patternParts = pattern.split('/');
  const pathParts = path.replace(/\/+$/, '').split('/');
  if (patternParts.length !== pathParts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of patternParts.entries()) {
    const value = decoded(pathParts[index] ?? '');
    if (value === undefined) return undefined;
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
};
