/** Hash of the code that builds views: a rebuild does not resume generations of other code. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ownBundle } from '../bundle/entry-path';

const root = join(__dirname, '..', '..', '..');
/** All that may make a row come out differently, and what comes with it. */
const folders = ['domain', 'projections', 'infra'] as const;

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => extname(file) === extname(__filename))
    .map((file) => join(folder, file));

let known: string | undefined;

const ofBundle = (bundle: string): string =>
  (JSON.parse(readFileSync(join(bundle, 'bundle.json'), 'utf8')) as { readonly code: string }).code;

/** Of the sources, which a bundle has recorded. */
export const codeFingerprint = (): string => {
  if (ownBundle !== undefined) return ofBundle(ownBundle);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  for (const file of folders.flatMap(filesIn).sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  known = hash.digest('base64url');
  return known;
};
