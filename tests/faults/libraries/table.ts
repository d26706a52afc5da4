/** The table of docs/applications.md, between its two marks: `LIBRARIES_WRITE=1` writes rows, otherwise they must equal the results. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Library, libraries, modelContextProtocol, type Settings } from './libraries';
import type { Outcome } from './sign-in';

const guide = join(__dirname, '..', '..', '..', 'docs', 'applications.md');
const marks = ['<!-- libraries -->', '<!-- /libraries -->'] as const;
const heading = [
  '| Library | By its defaults | By its defaults, the client with `"pkce": "optional"` | Smallest settings | ID token | userinfo | Refresh |',
  '|---|---|---|---|---|---|---|',
];

const idTokens: { readonly [of in Library['idToken']]: string } = {
  verified: 'verified',
  read: 'read, its signature not verified',
  none: 'unknown to it',
};

const inWords = (outcome: Outcome): string => ('reported' in outcome ? 'signs in' : `refused: ${outcome.failure}`);

export interface Tried {
  /** In turn, up to the first that signs in. */
  readonly attempts: readonly (readonly [Settings, Outcome])[];
  /** By the library's defaults, at a client that need not use PKCE; undefined: it signs in with PKCE. */
  readonly withoutPkce: Outcome | undefined;
}

export const rowOf = (
  { name, idToken }: Pick<Library, 'name' | 'idToken'>,
  { attempts, withoutPkce }: Tried,
): string => {
  const [[, byDefaults] = []] = attempts;
  const [settings, outcome] = attempts.at(-1) ?? [];
  const reported = outcome !== undefined && 'reported' in outcome ? outcome.reported : undefined;
  const cells = [
    name,
    byDefaults === undefined ? 'not tried' : inWords(byDefaults),
    withoutPkce === undefined ? '' : inWords(withoutPkce),
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
const readRows = (text: string): ReadonlyMap<string, string> => {
  const lines = partsOf(text)[1]
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return new Map(lines.slice(1).map((line) => [line.slice(2, line.indexOf(' |')), line]));
};

/** By the name of the library. What this machine cannot run stays as another has found it. */
export const holdRows = (rows: ReadonlyMap<string, string>): void => {
  const written = readFileSync(guide, 'utf8');
  const known = readRows(written);
  const names = [...libraries, modelContextProtocol].map(({ name }) => name);
  const now = names.flatMap((name) => rows.get(name) ?? known.get(name) ?? []);
  const [before, , after] = partsOf(written);
  const text = `${before}\n\n${[...heading, ...now].join('\n')}\n\n${after}`;
  if (process.env.LIBRARIES_WRITE !== undefined) writeFileSync(guide, text);
  else assert.equal(written, text, 'run this file with LIBRARIES_WRITE=1, and read what changed');
};
