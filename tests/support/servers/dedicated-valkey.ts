/** A Valkey of a test's own, to be stopped, killed, filled, and made a replica or a node of a cluster. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { Redis } from 'ioredis';
import { textForOperators } from '../../../domain/kernel/rejection';
import { freePort } from '../../../infra/operate/launch/free-port';
import { valkeyProgram } from '../../../infra/operate/launch/servers/valkey-program';
import { temporaryDirectory } from '../files/temporary-directory';
import { exitOf } from '../processes/child-exit';
import { MissingPrerequisite } from '../runner/missing-prerequisite';
import { eventually } from '../waiting/eventually';
import { toolsDirectory } from './shared-servers';

export interface DedicatedValkey {
  readonly url: string;
  readonly port: number;
  /** Looks at it and sets it up, beside what is tested. */
  readonly admin: Redis;
  /** As a process that hangs: its connections stay. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly kill: () => Promise<void>;
  /** On the same port, with nothing in it. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const programHere = async (directory: string): Promise<string> => {
  const program = await valkeyProgram({ directory, tools: toolsDirectory, progress: () => undefined });
  if (isLeft(program)) throw new MissingPrerequisite(`valkey: ${textForOperators(program.left)}`);
  if (program.right.startsWith(toolsDirectory)) chmodSync(program.right, 0o755);
  return program.right;
};

const ended = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await exitOf(child);
};

export const startDedicatedValkey = async (...options: readonly string[]): Promise<DedicatedValkey> => {
  const { path: directory, remove } = temporaryDirectory('valkey');
  const program = await programHere(directory);
  const port = await freePort();
  assert.ok(port !== undefined);
  const admin = new Redis({ port, lazyConnect: true, retryStrategy: () => 20 });
  admin.on('error', () => undefined);
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const persistence = ['--dir', directory, '--save', '', '--appendonly', 'no'];
    const place = ['--bind', '127.0.0.1', '--port', String(port)];
    child = spawn(program, [...place, ...persistence, ...options], { stdio: 'ignore' });
    await eventually(async () => assert.equal(await admin.ping(), 'PONG'));
  };
  const signal = (name: NodeJS.Signals) => (): void => void child?.kill(name);
  const kill = async (): Promise<void> => {
    if (child !== undefined) await ended(child);
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    admin,
    pause: signal('SIGSTOP'),
    resume: signal('SIGCONT'),
    kill,
    restart: start,
    stop: async () => {
      admin.disconnect();
      await kill();
      remove();
    },
  };
};
