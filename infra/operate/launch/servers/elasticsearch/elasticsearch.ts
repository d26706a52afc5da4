/** Elasticsearch on loopback: built here from its published jars. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { LocalServer, ServerFault, StartOptions, UnavailableServer } from '../local-server';
import { runAsAccount } from '../run-as-account';
import { changeOwner, serverAccount } from '../server-account';
import { type PreparedServer, type ServerPlace, startServer } from '../start-server';
import { buildElasticsearch } from './build';
import { findJava } from './java';
import { javaArguments } from './jvm-arguments';
import { readinessOf } from './readiness';

const prepare = async (place: ServerPlace): Promise<Either<ServerFault, PreparedServer>> => {
  const java = await findJava(place);
  if (isLeft(java)) return java;
  const target = await buildElasticsearch(java.right, place);
  if (isLeft(target)) return target;
  const temporary = join(place.data, 'tmp');
  mkdirSync(temporary, { recursive: true });
  changeOwner(serverAccount(), temporary);
  const program = java.right;
  const paths = [program, join(target.right, 'home', 'config'), place.data];
  const command = runAsAccount(
    { program, arguments: javaArguments({ target: target.right, data: place.data, port: place.port }) },
    paths,
  );
  if (isLeft(command)) return command;
  const url = `http://127.0.0.1:${place.port}`;
  const child = { directory: place.directory, command: command.right, stop: 'SIGTERM', force: 'SIGKILL' } as const;
  return right({ child, url, probe: readinessOf({ url, progress: place.progress }) });
};

export const startElasticsearch = (options: StartOptions): Promise<Either<UnavailableServer, LocalServer>> =>
  startServer(
    { name: 'elasticsearch', force: 'SIGKILL', passing: /Address already in use|failed to obtain node lock/, prepare },
    options,
  );
