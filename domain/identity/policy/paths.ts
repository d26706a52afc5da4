/** Patterns of paths, and paths of requests, by whole segments. */

/** Of a pattern. A request may have more. */
export const maxPatternSegments = 32;

export const anySegment = '*';
export const anyRest = '**';
export const ownPrincipal = '$principal';
export const ownTenant = '$tenant';

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

const isDots = (segment: string): boolean => segment === '.' || segment === '..';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const control = /[\u0000-\u001f\u007f\\]/;

export interface PathReading {
  /**
   * Of a service of others, which may take an encoded slash for a separator: such a path has no certain segments. Services of our own take it for a
   * character of one (RFC 3986 section 2.2).
   */
  readonly isForeign?: boolean;
}

/** Undefined: servers read the path differently, so that no pattern can be trusted to match what will be done. */
export const pathSegments = (
  target: string,
  { isForeign = false }: PathReading = {},
): readonly string[] | undefined => {
  const [path = ''] = target.split('?', 1);
  if (!path.startsWith('/')) return undefined;
  const segments: string[] = [];
  const raw = path.slice(1).split('/');
  // Most servers take a path with a slash at its end for the one without.
  if (raw.at(-1) === '') raw.pop();
  for (const one of raw) {
    const segment = decoded(one);
    if (segment === undefined || segment === '' || control.test(segment)) return undefined;
    if (segment.split('/').some(isDots) || (isForeign && segment.includes('/'))) return undefined;
    segments.push(segment);
  }
  return segments;
};

/** Undefined: no pattern. Segments are written decoded, so that each has one spelling. */
export const patternSegments = (pattern: string): readonly string[] | undefined => {
  if (!pattern.startsWith('/')) return undefined;
  const segments = pattern === '/' ? [] : pattern.slice(1).split('/');
  if (segments.length > maxPatternSegments) return undefined;
  const isSound = segments.every(
    (segment, index) =>
      segment !== '' &&
      !isDots(segment) &&
      !control.test(segment) &&
      !segment.includes('%') &&
      (!segment.includes('*') || segment === anySegment || (segment === anyRest && index === segments.length - 1)) &&
      (!segment.startsWith('$') || segment === ownPrincipal || segment === ownTenant),
  );
  return isSound ? segments : undefined;
};

export interface PathCaller {
  readonly principalId: string;
  readonly tenantId: string;
}

const isMatch = (part: string, segment: string, { principalId, tenantId }: PathCaller): boolean => {
  switch (part) {
    case anySegment:
      return true;
    case ownPrincipal:
      return segment === principalId;
    case ownTenant:
      return segment === tenantId;
    default:
      return part === segment;
  }
};

export const matchesPath = (pattern: readonly string[], segments: readonly string[], caller: PathCaller): boolean => {
  const isOpen = pattern.at(-1) === anyRest;
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? segments.length < fixed.length : segments.length !== fixed.length) return false;
  return fixed.every((part, index) => isMatch(part, segments[index] as string, caller));
};
