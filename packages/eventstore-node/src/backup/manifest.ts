/** The manifest of a backup, by which a restore checks that it is complete. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite } from '../codec';

export const manifestFile = 'backup.json';

const Manifest = t.strict(
  {
    format: t.literal('eventstore-backup'),
    version: t.literal(1),
    madeAt: t.string,
    nodeVersion: t.string,
    /** The position of the newest event; null when there is none. */
    endPosition: t.union([finite, t.null]),
    events: finite,
    streams: finite,
    bytes: finite,
    sha256: t.string,
  },
  'Manifest',
);
export type Manifest = t.TypeOf<typeof Manifest>;

export const readManifest = (directory: string): Either<string, Manifest> => {
  const path = join(directory, manifestFile);
  try {
    const manifest = Manifest.decode(JSON.parse(readFileSync(path, 'utf8')));
    return isLeft(manifest) ? left(`${path} is not the manifest of a backup that this version reads.`) : manifest;
  } catch (error) {
    return left(`${directory} is not a backup: ${(error as Error).message}.`);
  }
};

export const encodeManifest = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

/** Compares a manifest with the contents of the backup's data file. */
export const matchesManifest = (
  manifest: Manifest,
  found: Pick<Manifest, 'events' | 'streams' | 'endPosition'>,
): boolean =>
  manifest.events === found.events && manifest.streams === found.streams && manifest.endPosition === found.endPosition;
