/** The table of docs/applications.md, between its two marks. */
import type { Library, Settings } from './libraries';
import type { Outcome } from './sign-in';

const marks = ['<!-- libraries -->', '<!-- /libraries -->'] as const;
const heading = [
  '| Library | By its defaults | Smallest settings | ID token | userinfo | Refresh |',
  '|---|---|---|---|---|---|',
];

const idTokens: { readonly [of in Library['idToken']]: string } = {
  verified: 'verified',
  read: 'read, its signature not verified',
  none: 'unknown to it',
};

const defaultsOf = (outcome: Outcome | undefined): string => {
  if (outcome === undefined) return 'not tried';
  return 'reported' in outcome ? 'signs in' : `refused: ${outcome.failure}`;
};

export const rowOf = (library: Library, outcomes: readonly (readonly [Settings, Outcome])[]): string => {
  const { name, idToken } = library;
  const [[, byDefaults] = []] = outcomes;
  const [settings, outcome] = outcomes.at(-1) ?? [];
  const reported = outcome !== undefined && 'reported' in outcome ? outcome.reported : undefined;
  const cells = [
    name,
    defaultsOf(byDefaults),
    reported === undefined ? 'none known' : (settings?.inWords ?? 'none'),
    reported === undefined ? '' : idTokens[idToken],
    reported?.userinfo === undefined ? '' : 'yes',
    reported?.refreshed === true ? 'yes' : '',
  ];
  return `| ${cells.join(' | ')} |`;
};

const partsOf = (text: string): readonly [string, string, string] => {
  const [from, to] = marks.map((mark) => text.indexOf(mark)) as [number, number];
  if (from < 0 || to < from) throw new Error(`the guide has no ${marks.join(' … ')}`);
  return [text.slice(0, from + marks[0].length), text.slice(from + marks[0].length, to), text.slice(to)];
};

/** By the name of the library. */
export const readRows = (text: string): ReadonlyMap<string, string> => {
  const lines = partsOf(text)[1]
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return new Map(lines.slice(1).map((line) => [line.slice(2, line.indexOf(' |')), line]));
};

export const withRows = (text: string, rows: readonly string[]): string => {
  const [before, , after] = partsOf(text);
  return `${before}\n\n${[...heading, ...rows].join('\n')}\n\n${after}`;
};
