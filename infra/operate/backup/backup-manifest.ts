/** The manifest of a backup. It is written last: without it, the backup is incomplete. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite } from '../../../domain/kernel/codec';
import { OperatorError } from '../launch/operator-error';

export const manifestFile = 'backup.json';

const Manifest = t.strict(
  {
    format: t.literal('septet-backup'),
    version: t.literal(1),
    madeAt: t.string,
    log: t.strict({
      /** Copied keeps positions; exported gets others where it is put in. */
      kind: t.union([t.literal('copied'), t.literal('exported')]),
      events: finite,
      lastPosition: t.union([finite, t.null]),
    }),
    /** Rows by table; null where there was no Postgres. */
    postgres: t.union([
      t.strict({ rows: t.record(t.string, finite), sequences: t.record(t.string, t.string) }),
      t.null,
    ]),
    blobs: t.strict({
      kind: t.union([t.literal('directory'), t.literal('bucket'), t.literal('left-out'), t.literal('none')]),
      count: finite,
      /** The bucket they are from. */
      bucket: t.union([t.string, t.null]),
    }),
    /** Git repositories of workflows. Absent in backups of versions without them. */
    repositories: t.union([finite, t.undefined]),
    /** Whether secrets and keys are in it. */
    keys: t.boolean,
    files: finite,
    /** Of the list of checksums. */
    sums: t.string,
  },
  'Manifest',
);
export type Manifest = t.TypeOf<typeof Manifest>;

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The checksum is of the manifest without it, written the same way. */
export const manifestText = (manifest: Manifest): string =>
  `${JSON.stringify({ ...manifest, checksum: checksumOf(JSON.stringify(manifest)) }, null, 2)}\n`;

const parsed = (directory: string): { readonly checksum?: unknown } => {
  try {
    return Object(JSON.parse(readFileSync(join(directory, manifestFile), 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new OperatorError(`${directory} is not a backup: it has no ${manifestFile}.`);
    throw new OperatorError(`The backup is damaged: ${manifestFile} cannot be read.`);
  }
};

export const readManifest = (directory: string): Manifest => {
  const { checksum, ...rest } = parsed(directory);
  if (checksum !== checksumOf(JSON.stringify(rest)))
    throw new OperatorError(`The backup is damaged: ${manifestFile} was changed.`);
  const manifest = Manifest.decode(rest);
  if (isLeft(manifest))
    throw new OperatorError(`${manifestFile} is not the manifest of a backup that this version reads.`);
  return manifest.right;
};
