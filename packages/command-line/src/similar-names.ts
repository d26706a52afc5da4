/** Names that are close to one that is unknown. */

/** Levenshtein's distance. */
const editDistance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let index = 1; index <= other.length; index += 1) {
      const replaced = (row[index - 1] as number) + (one[at - 1] === other[index - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[index] as number) + 1, (next[index - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
};

const maxNames = 3;
/** Shorter texts are part of too many names. */
const minPartLength = 3;

const isClose = (wanted: string, name: string): boolean =>
  editDistance(wanted, name) <= Math.max(2, Math.floor(Math.min(wanted.length, name.length) / 4)) ||
  (wanted.length >= minPartLength && name.includes(wanted)) ||
  (name.length >= minPartLength && wanted.includes(name));

/** At most three, the closest first. */
export const similarNames = (unknown: string, known: Iterable<string>): readonly string[] => {
  const wanted = unknown.toLowerCase();
  return [...new Set(known)]
    .filter((name) => isClose(wanted, name.toLowerCase()))
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, maxNames)
    .map(({ name }) => name);
};

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** Empty when nothing is close. */
export const suggestion = (similar: readonly string[]): string =>
  similar.length === 0 ? '' : ` Did you mean ${listed(similar)}?`;

/** `kind` is singular, as `view`. Without a close name all are listed. */
export const describeUnknown = (kind: string, unknown: string, known: readonly string[]): string => {
  const similar = similarNames(unknown, known);
  const all = known.length === 0 ? '' : ` There are: ${known.join(', ')}.`;
  return `There is no ${kind} ${unknown}.${similar.length === 0 ? all : suggestion(similar)}`;
};
