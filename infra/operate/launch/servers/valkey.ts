/** Valkey (or Redis) on loopback, with a password and an append-only file. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { Redis } from 'ioredis';
import type { LocalServer, ServerFault, StartOptions, UnavailableServer } from './local-server';
import { ensurePassword, writeSecret } from './password-file';
import { type Readiness, ready, waitsFor } from './readiness';
import { runAsAccount } from './run-as-account';
import { changeOwner, serverAccount } from './server-account';
import { type PreparedServer, type ServerPlace, startServer } from './start-server';
import { valkeyProgram } from './valkey-program';

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** A file, because every user of the machine can read a command line. */
const configuration = ({ data, port, settings = {} }: ServerPlace, password: string): string =>
  [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${quoted(data)}`,
    `requirepass ${password}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'daemonize no',
    // How often a second it looks for what has expired, and after its clients; 10, if left out.
    'hz 2',
    ...Object.entries(settings).map(([name, value]) => `${name} ${value}`),
    '',
  ].join('\n');

const readiness = async (url: string): Promise<Readiness> => {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
  // Refused while it starts; the caller retries.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return ready;
  } catch (error) {
    return waitsFor(String(error).includes('LOADING') ? 'it loads its file' : 'it has not answered yet');
  } finally {
    client.disconnect();
  }
};

const prepare = async (place: ServerPlace): Promise<Either<ServerFault, PreparedServer>> => {
  const { directory, data, port } = place;
  const found = await valkeyProgram(place);
  if (isLeft(found)) return found;
  const program = found.right;
  // Unpacking does not keep what may be executed.
  if (program.startsWith(place.tools)) chmodSync(program, 0o755);
  const password = ensurePassword(join(directory, 'password'));
  const file = join(directory, 'valkey.conf');
  writeSecret(file, configuration(place, password));
  changeOwner(serverAccount(), file);
  const command = runAsAccount({ program, arguments: [file] }, [program, data]);
  if (isLeft(command)) return command;
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const child = { directory, command: command.right, stop: 'SIGTERM', force: 'SIGKILL' } as const;
  return right({ child, url, probe: () => readiness(url) });
};

export const startValkey = (options: StartOptions): Promise<Either<UnavailableServer, LocalServer>> =>
  startServer({ name: 'valkey', force: 'SIGKILL', passing: /Address already in use/, prepare }, options);
