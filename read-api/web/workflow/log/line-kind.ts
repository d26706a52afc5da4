/** Lines that a runner marks: groups that fold, errors, warnings and notices. */
export type LineKind = 'plain' | 'group' | 'endgroup' | 'error' | 'warning' | 'notice';
export type MarkedKind = Exclude<LineKind, 'plain'>;

const marks: readonly (readonly [mark: string, kind: MarkedKind])[] = [
  ['##[group]', 'group'],
  ['##[endgroup]', 'endgroup'],
  ['##[error]', 'error'],
  ['##[warning]', 'warning'],
  ['##[notice]', 'notice'],
];

export const lineKindOf = (text: string): LineKind =>
  text.startsWith('##[') ? (marks.find(([mark]) => text.startsWith(mark))?.[1] ?? 'plain') : 'plain';

/** Without its mark. */
export const contentOf = (text: string, kind: LineKind): string => {
  const mark = marks.find(([, marked]) => marked === kind)?.[0];
  return mark === undefined ? text : text.slice(mark.length);
};
