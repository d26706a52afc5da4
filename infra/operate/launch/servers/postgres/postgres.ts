/** Postgres on loopback: made by initdb at the first start, with a password of its own. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { commandOf, markOf } from '../../../../../packages/data-directory/src/process-identity';
import type { LocalServer, ServerFault, StartOptions, UnavailableServer } from '../local-server';
import { ensurePassword } from '../password-file';
import { runAsAccount } from '../run-as-account';
import { type PreparedServer, type ServerPlace, startServer } from '../start-server';
import { postgresBinaries } from './binaries';
import { databaseReadiness } from './create-database';
import { initialise, user } from './initdb';

const settings = {
  listen_addresses: '127.0.0.1',
  // The path of a socket file may be 107 characters at most; loopback needs none.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Postgres trusts the process id in its lock file, which after a restart of the machine may belong to any process. */
const removeStaleLock = (data: string): void => {
  const path = join(data, 'postmaster.pid');
  if (!existsSync(path)) return;
  const pid = Number(readFileSync(path, 'utf8').split('\n', 1)[0]);
  if (markOf(pid) !== undefined && !commandOf(pid).includes(`-D ${data}`)) rmSync(path);
};

const prepare = async (place: ServerPlace): Promise<Either<ServerFault, PreparedServer>> => {
  const { directory, data, port } = place;
  const binaries = await postgresBinaries();
  if (isLeft(binaries)) return binaries;
  const passwordFile = join(directory, 'password');
  const password = ensurePassword(passwordFile);
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const made = await initialise(binaries.right.initdb, { ...place, passwordFile });
    if (isLeft(made)) return made;
  }
  removeStaleLock(data);
  const { postgres } = binaries.right;
  const options = Object.entries({ ...settings, ...place.settings, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const command = runAsAccount({ program: postgres, arguments: ['-D', data, ...options] }, [postgres, data]);
  if (isLeft(command)) return command;
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/septet`;
  const child = { directory, command: command.right, stop: 'SIGINT', force: 'SIGQUIT' } as const;
  return right({ child, url, probe: () => databaseReadiness(url) });
};

export const startPostgres = (options: StartOptions): Promise<Either<UnavailableServer, LocalServer>> =>
  startServer(
    {
      name: 'postgres',
      force: 'SIGQUIT',
      // Workers of one that was killed take a moment to notice.
      passing: /pre-existing shared memory block|lock file "postmaster\.pid" already exists|Address already in use/,
      prepare,
    },
    options,
  );
