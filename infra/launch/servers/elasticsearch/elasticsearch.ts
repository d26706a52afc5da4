/** Elasticsearch on loopback: built here from its published jars. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { LocalServer, StartOptions, UnavailableServer } from '../local-server';
import { runAsAccount } from '../run-as-account';
import { giveTo, serverAccount } from '../server-account';
import { type PreparedServer, type ServerPlace, startServer } from '../start-server';
import { buildElasticsearch } from './build';
import { findJava } from './java';
import { javaArguments } from './jvm-arguments';

const askMilliseconds = 10_000;
/** Time for indices to recover after a crash, before the start is reported as failed. */
const recoverySeconds = 30;

const health = async (url: string, query: string): Promise<number | undefined> => {
  const signal = AbortSignal.timeout(askMilliseconds + recoverySeconds * 1000);
  try {
    const response = await fetch(`${url}/_cluster/health?${query}`, { signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
};

/** Red indices do not keep it off: what is whole is served, and a damaged one can be built again from the log. */
const answers = async (url: string, { progress }: ServerPlace): Promise<boolean> => {
  if ((await health(url, 'timeout=1s')) !== 200) return false;
  const status = await health(url, `wait_for_status=yellow&timeout=${recoverySeconds}s`);
  if (status === 408) progress('some indices are damaged');
  return status !== undefined;
};

const prepare = async (place: ServerPlace): Promise<Either<string, PreparedServer>> => {
  const java = await findJava();
  if (isLeft(java)) return java;
  const target = await buildElasticsearch(java.right, place);
  if (isLeft(target)) return target;
  const temporary = join(place.data, 'tmp');
  mkdirSync(temporary, { recursive: true });
  giveTo(serverAccount(), temporary);
  const program = java.right;
  const paths = [program, join(target.right, 'home', 'config'), place.data];
  const command = runAsAccount(
    { program, arguments: javaArguments({ target: target.right, data: place.data, port: place.port }) },
    paths,
  );
  if (isLeft(command)) return command;
  const url = `http://127.0.0.1:${place.port}`;
  const child = { directory: place.directory, command: command.right, stop: 'SIGTERM', force: 'SIGKILL' } as const;
  return right({ child, url, ask: () => answers(url, place) });
};

export const startElasticsearch = (options: StartOptions): Promise<Either<UnavailableServer, LocalServer>> =>
  startServer(
    { name: 'elasticsearch', force: 'SIGKILL', passing: /Address already in use|failed to obtain node lock/, prepare },
    options,
  );
