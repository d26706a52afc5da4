/** Starts embedded nodes: in a process of their own, which can be killed and measured, or in this one, which costs less. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isLeft } from 'fp-ts/Either';
import { entryPath } from '../../../infra/server/bundle/entry-path';
import { startNode } from '../../../packages/eventstore-node/src/server/node';
import type { ScryptParameters } from '../../../packages/eventstore-node/src/users/password-hash';
import { exitOf } from '../processes/child-exit';
import { scriptArguments } from '../runner/compiled';

export interface EventStoreNode {
  readonly url: string;
  readonly port: number;
  readonly data: string;
  /** Gracefully. */
  readonly stop: () => Promise<unknown>;
}

export interface NodeProcess extends EventStoreNode {
  readonly pid: number;
  /** Gracefully; answers the exit code. */
  readonly stop: () => Promise<number | null>;
  /** kill -9. */
  readonly kill: () => Promise<void>;
  /** Unshared memory in KiB. */
  readonly unsharedMemory: () => number;
}

/** Runs a script, compiled where it is TypeScript, that prints a first JSON line with `listening`; rejects with its output when it ends before that. */
export const startListening = async (
  script: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; port: number }> => {
  const [program = '', ...rest] = script;
  const runnable = program.endsWith('.ts') ? scriptArguments(program) : [program];
  const child = spawn(process.execPath, [...runnable, ...rest], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const errors: string[] = [];
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{"listening"'))
        resolve(Number((JSON.parse(line) as { listening: string }).listening.split(':').at(-1)));
    });
    child.once('exit', (code) => reject(new Error(`${script.join(' ')} ended with ${code}: ${errors.join('\n')}`)));
  });
  return { child, port };
};

/** As its administrator, whose password the first start made. */
const secureUrl = (data: string, port: number, certs: string): string => {
  const { admin } = JSON.parse(readFileSync(join(data, 'first-passwords.json'), 'utf8')) as { readonly admin: string };
  const query = new URLSearchParams({ tls: 'true', tlsCAFile: join(certs, 'ca.crt') });
  return `esdb://admin:${encodeURIComponent(admin)}@localhost:${port}?${query.toString()}`;
};

const urlOf = (data: string, port: number, certs: string | undefined): string =>
  certs === undefined ? `esdb://127.0.0.1:${port}?tls=false` : secureUrl(data, port, certs);

/** Hashes of the usual strength take 0.2 s of processor each, and are most of the cost of tests with users. */
const cheapPasswords: ScryptParameters = { cost: 16, blockSize: 8, parallelization: 1 };

/** A node in this process, for tests that only use it. Secure when a directory of certificates is given. */
export const startNodeHere = async (
  data: string,
  certs?: string,
  passwordStrength = cheapPasswords,
): Promise<EventStoreNode> => {
  const report = (error: unknown): void => console.error(error);
  const where = { host: '127.0.0.1', port: 0, insecureAnywhere: false };
  const started = await startNode({ data, certs, ...where, report, passwordStrength });
  if (isLeft(started)) throw new Error(started.left);
  const { port, close } = started.right;
  return { url: urlOf(data, port, certs), port, data, stop: close };
};

/** Secure when a directory of certificates is given. */
export const startEventStoreNode = async (
  data: string,
  port = 0,
  certs?: string,
  env?: Readonly<Record<string, string>>,
): Promise<NodeProcess> => {
  const secure = certs === undefined ? [] : ['--certs', certs];
  const script = [
    entryPath('packages/eventstore-node/src/cli/main'),
    'serve',
    '--data',
    data,
    '--port',
    String(port),
    ...secure,
  ];
  const { child, port: bound } = await startListening(script, env);
  const pid = child.pid as number;
  return {
    url: urlOf(data, bound, certs),
    port: bound,
    data,
    pid,
    stop: () => {
      child.kill('SIGTERM');
      return exitOf(child);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exitOf(child);
    },
    unsharedMemory: () => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
  };
};
