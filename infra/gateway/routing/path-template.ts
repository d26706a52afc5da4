/**
 * Path templates of manifests. `{name}` matches one or more characters of one segment, but no colon; `/**` at the end matches any number of
 * further segments, also none.
 */

export interface PathTemplate {
  readonly text: string;
  /** Undefined: the path does not match. Otherwise the values of the parameters by name. */
  readonly match: (path: string) => Readonly<Record<string, string>> | undefined;
  readonly segments: readonly SegmentTemplate[];
  /** Ends with `/**`. */
  readonly isOpen: boolean;
}

/** Literal characters, and `undefined` for a parameter. */
type SegmentTemplate = readonly (string | undefined)[];

const parameter = /\{([A-Za-z][A-Za-z0-9]*)\}/g;
const templateShape = /^\/(?:[A-Za-z0-9._~:-]|\{[A-Za-z][A-Za-z0-9]*\}|\/(?!\/|$))*$/;
/** Two parameters side by side have no boundary between them. */
const adjoining = /\}\{/;
const openEnd = '/**';

const segmentOf = (text: string): SegmentTemplate =>
  text.split(/(\{[^}]+\})/).flatMap((part) => (part.startsWith('{') ? [undefined] : [...part]));

export const pathTemplate = (text: string): PathTemplate => {
  const isOpen = text.endsWith(openEnd);
  const path = isOpen ? text.slice(0, -openEnd.length) : text;
  if (!templateShape.test(path) || adjoining.test(path)) throw new Error(`${text} is not a path template`);
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  const shape = new RegExp(`^${literal.replaceAll(parameter, '(?<$1>[^/:]+)')}${isOpen ? '(?:/.*)?' : ''}$`);
  return {
    text,
    segments: path.slice(1).split('/').map(segmentOf),
    isOpen,
    match: (requested) => {
      const found = shape.exec(requested);
      return found === null ? undefined : { ...found.groups };
    },
  };
};

/** Whether some text matches both. A parameter takes any character but a colon. */
const segmentsMeet = (one: SegmentTemplate, other: SegmentTemplate): boolean => {
  const seen = new Set<string>();
  const from = (at: number, otherAt: number): boolean => {
    if (at === one.length && otherAt === other.length) return true;
    const place = `${at} ${otherAt}`;
    if (at === one.length || otherAt === other.length || seen.has(place)) return false;
    seen.add(place);
    const [character, otherCharacter] = [one[at], other[otherAt]];
    if (character !== undefined && otherCharacter !== undefined)
      return character === otherCharacter && from(at + 1, otherAt + 1);
    if ((character ?? otherCharacter) === ':') return false;
    // Both take one character; a parameter may go on.
    return (
      from(at + 1, otherAt + 1) ||
      (character === undefined && from(at, otherAt + 1)) ||
      (otherCharacter === undefined && from(at + 1, otherAt))
    );
  };
  return from(0, 0);
};

/** Whether some path matches both. */
export const templatesOverlap = (one: PathTemplate, other: PathTemplate): boolean => {
  const shared = Math.min(one.segments.length, other.segments.length);
  if (one.segments.length > shared && !other.isOpen) return false;
  if (other.segments.length > shared && !one.isOpen) return false;
  return one.segments
    .slice(0, shared)
    .every((segment, index) => segmentsMeet(segment, other.segments[index] as SegmentTemplate));
};

/** Of a segment: fixed text before text with a parameter, before a parameter alone, before the open end. */
const rankOf = (segment: SegmentTemplate | undefined): number => {
  if (segment === undefined) return 0;
  if (!segment.includes(undefined)) return 3;
  return segment.length > 1 ? 2 : 1;
};

/** Of templates that overlap, the one with the higher number is the more specific one. */
export const specificityOf = ({ segments, isOpen }: PathTemplate): number =>
  segments.reduce((sum, segment) => sum + rankOf(segment), isOpen ? 0 : 0.5);

/** Whether the first matches a narrower set of paths, segment by segment. Of templates that overlap. */
export const isMoreSpecific = (one: PathTemplate, other: PathTemplate): boolean => {
  const length = Math.max(one.segments.length, other.segments.length);
  const ranks = Array.from({ length }, (_, index) => ({
    own: rankOf(one.segments[index]),
    others: rankOf(other.segments[index]),
  }));
  const isNowhereWider = ranks.every(({ own, others }) => own >= others) && (!one.isOpen || other.isOpen);
  return isNowhereWider && specificityOf(one) > specificityOf(other);
};
