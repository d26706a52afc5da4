/** The first start of Postgres. */
import { renameSync, rmSync } from 'node:fs';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { cancelled, missing } from '../../../../adapters/programs/program-fault';
import { reasonIn, run } from '../../../../adapters/programs/run-program';
import type { ServerFault } from '../local-server';
import { runAsAccount } from '../run-as-account';
import { changeOwner, freshDirectory, serverAccount } from '../server-account';
import type { ServerPlace } from '../start-server';

export const user = 'septet';

interface First extends ServerPlace {
  readonly passwordFile: string;
}

/** Made beside and renamed: an initdb that was ended half-way leaves nothing that looks like a database. */
export const initialise = async (initdb: string, place: First): Promise<Either<ServerFault, void>> => {
  const { data, passwordFile, progress, signal } = place;
  progress('creating its database');
  const unfinished = `${data}.new`;
  freshDirectory(unfinished);
  changeOwner(serverAccount(), passwordFile);
  const shape = ['--encoding=UTF8', '--locale=C', '-A', 'scram-sha-256', '-U', user, `--pwfile=${passwordFile}`];
  const command = runAsAccount({ program: initdb, arguments: ['-D', unfinished, ...shape] }, [initdb, unfinished]);
  if (isLeft(command)) return command;
  const made = await run({ ...command.right, directory: '/', signal });
  if (signal?.aborted) return left(cancelled);
  if (!made.ok)
    return left(missing('Its database cannot be created: check the disk and its permissions.', reasonIn(made.output)));
  rmSync(data, { recursive: true, force: true });
  renameSync(unfinished, data);
  return right(undefined);
};
