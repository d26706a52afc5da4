/** Start sequence of every local server; a `ServerKind` has the differences. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { missing } from '../../../adapters/programs/program-fault';
import { freePort } from '../free-port';
import { type ChildSpec, startChild, waitUntilReady } from './child-process';
import type { LocalServer, ServerFault, StartOptions, UnavailableServer } from './local-server';
import { stopOrphanedServer } from './pid-file';
import type { Readiness } from './readiness';
import { prepareDirectory } from './server-account';

export interface ServerPlace extends StartOptions {
  /** The server's own directory; around it lies what only the launcher writes. */
  readonly data: string;
  readonly port: number;
}

export interface PreparedServer {
  readonly child: ChildSpec;
  readonly url: string;
  readonly probe: () => Promise<Readiness>;
}

export interface ServerKind {
  readonly name: string;
  /** Signal that ends the server at once, without loss of data. */
  readonly force: NodeJS.Signals;
  /** Matches its output when it ends at its start for a transient reason. */
  readonly passing: RegExp;
  /** Finds or makes the program and its data. Left: what is missing. */
  readonly prepare: (place: ServerPlace) => Promise<Either<ServerFault, PreparedServer>>;
}

const attempts = 20;
const pauseMilliseconds = 250;

interface StartFailure {
  readonly fault: ServerFault;
  readonly passing: boolean;
}

const attempt = async (kind: ServerKind, place: ServerPlace): Promise<Either<StartFailure, LocalServer>> => {
  const prepared = await kind.prepare(place);
  if (isLeft(prepared)) return left({ fault: prepared.left, passing: false });
  const { child: spec, url, probe } = prepared.right;
  place.progress('starting');
  const child = startChild(spec);
  place.begun?.(url);
  const ready = await waitUntilReady({ child, probe, progress: place.progress, signal: place.signal });
  if (isLeft(ready)) return left({ fault: ready.left, passing: kind.passing.test(child.output()) });
  return right({ name: kind.name, url, pid: child.pid, stop: child.stop, exited: child.exited });
};

const start = async (kind: ServerKind, options: StartOptions): Promise<Either<ServerFault, LocalServer>> => {
  const data = join(options.directory, 'data');
  prepareDirectory(options.directory, data);
  const leftover = await stopOrphanedServer(options.directory, kind.force);
  if (isLeft(leftover)) return left(missing(leftover.left));
  for (let count = 1; ; count += 1) {
    const port = options.port ?? (await freePort());
    if (port === undefined) return left(missing('No port is free on 127.0.0.1.'));
    const started = await attempt(kind, { ...options, data, port });
    if (!isLeft(started)) return started;
    if (!started.left.passing || count === attempts) return left(started.left.fault);
    await sleep(pauseMilliseconds);
  }
};

const oneLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split('\n', 1)[0] as string;

export const startServer = async (
  kind: ServerKind,
  options: StartOptions,
): Promise<Either<UnavailableServer, LocalServer>> => {
  const began = performance.now();
  try {
    const started = await start(kind, options);
    if (isLeft(started)) return left({ name: kind.name, ...started.left });
    options.progress('ready', { milliseconds: Math.round(performance.now() - began) });
    return started;
  } catch (error) {
    // A directory that cannot be made or read: the rest of the system runs without this server.
    return left({
      name: kind.name,
      ...missing('Its directory cannot be used: check its permissions and the disk.', oneLine(error)),
    });
  }
};
