/** Every process that follows the log, each a child with its lines kept, on a log of several hosts of which one is a node of the caller's. */
import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { freePort } from '../../../infra/operate/launch/free-port';
import { ensureSecrets } from '../../../infra/operate/launch/secret-files';
import {
  type LaunchContext,
  serviceEnv,
  serviceNames,
  serviceScript,
} from '../../../infra/operate/launch/service-environment';
import { exitOf } from './child-exit';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  /** Milliseconds. */
  readonly time: number;
}

export interface LogFollower {
  readonly name: string;
  readonly child: ChildProcess;
  readonly lines: readonly LogLine[];
  /** Resolves once so many lines have the message, at whatever level. */
  readonly linesOf: (message: string, count?: number) => Promise<void>;
}

export interface FollowerStores {
  readonly postgres: string;
  readonly redis: string;
  /** Where the log's node listens. */
  readonly logPort: number;
  /** Of their secrets and files. */
  readonly directory: string;
}

/** Processes that follow the log all the time. */
export const followerNames = [
  'commands',
  'processes',
  'workers',
  'projections',
  'read-api',
  'editor',
  'workflow',
  'gateway',
];

/** A loopback port on which nothing listens, and a name that no resolver knows. */
const unreachable = async (): Promise<readonly string[]> => [`127.0.0.1:${await freePort()}`, 'log.invalid:2113'];

const start = (name: string, around: LaunchContext): LogFollower => {
  const child = fork(serviceScript(name), [], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...serviceEnv(name, around), LOG_LEVEL: 'debug' },
  });
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => {
    const { level, msg, time } = JSON.parse(line) as Omit<LogLine, 'time'> & { readonly time: string };
    lines.push({ level, msg, time: Date.parse(time) });
    for (const wake of waiting) wake();
  });
  return {
    name,
    child,
    lines,
    linesOf: (message, count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (lines.filter(({ msg }) => msg === message).length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
};

export const startFollowers = async ({
  postgres,
  redis,
  logPort,
  directory,
}: FollowerStores): Promise<readonly LogFollower[]> => {
  const ports = Object.fromEntries(
    await Promise.all(serviceNames.map(async (name) => [name, await freePort()] as const)),
  ) as LaunchContext['ports'];
  const log = `esdb://127.0.0.1:${logPort},${(await unreachable()).join(',')}?tls=false`;
  const stores = { POSTGRES_URL: postgres, REDIS_URL: redis, EVENTSTORE_URL: log };
  const around = { stores, secrets: ensureSecrets(directory), data: directory, host: '127.0.0.1', ports };
  return followerNames.map((name) => start(name, around));
};

/** Resolves once each of them is ready and follows the log. */
export const followTheLog = async (followers: readonly LogFollower[]): Promise<void> => {
  await Promise.all(followers.flatMap(({ linesOf }) => [linesOf('ready'), linesOf('subscribing to the log')]));
};

export const killFollowers = async (followers: readonly LogFollower[]): Promise<void> => {
  for (const { child } of followers) {
    child.kill('SIGKILL');
    await exitOf(child);
  }
};
