/** Runs `git` on a bare repository, isolated from the machine's configuration and within bounds. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Neither the configuration of the machine and its users, nor hooks, prompts, other protocols or replaced objects. */
const environment = {
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
};

const configuration = {
  'core.hooksPath': '/dev/null',
  'core.fsync': 'committed',
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '256m',
  'core.bigFileThreshold': '16m',
  'gc.autoDetach': 'false',
  'pack.threads': '1',
  'pack.windowMemory': '64m',
  'receive.autogc': 'false',
  'receive.fsckObjects': 'true',
  'receive.unpackLimit': '100',
  'receive.updateServerInfo': 'false',
  'transfer.fsckObjects': 'true',
  // A job fetches its commit by name; what no ref reaches stays hidden.
  'uploadpack.allowAnySHA1InWant': 'false',
  'uploadpack.allowReachableSHA1InWant': 'true',
  'uploadpack.allowFilter': 'true',
};

/** In KiB, where the system can limit it. Packs are mapped into memory by windows. */
const memoryKibibytes = 2 * 2 ** 20;
const limited = `ulimit -v ${memoryKibibytes} 2>/dev/null; exec "$@"`;

export interface GitCommand {
  /** The bare directory; undefined for commands without a repository. */
  readonly directory: string | undefined;
  readonly args: readonly string[];
  readonly config?: { readonly [name: string]: string };
  readonly protocol?: string | undefined;
  /** Of other servers: none by default. */
  readonly transport?: 'https';
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GitProcess {
  readonly child: ChildProcess;
  /** The exit code; null: killed, by the time limit or the signal among others. */
  readonly ended: Promise<number | null>;
  readonly kill: () => void;
  /** The first bytes of the error output, for logs. */
  readonly complaint: () => string;
}

const maxComplaint = 2_000;

/** The process is the leader of a group, which `kill` ends as a whole. */
export const startGit = ({
  directory,
  args,
  config,
  protocol,
  transport,
  milliseconds,
  signal,
}: GitCommand): GitProcess => {
  const settings = Object.entries({ ...configuration, ...config }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const place = directory === undefined ? [] : [`--git-dir=${directory}`];
  const child = spawn('/bin/sh', ['-c', limited, 'sh', 'git', ...place, ...settings, ...args], {
    cwd: '/',
    detached: true,
    env: {
      ...environment,
      ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }),
      ...(transport === undefined ? {} : { GIT_ALLOW_PROTOCOL: transport }),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const kill = (): void => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  };
  const deadline = setTimeout(kill, milliseconds);
  signal?.addEventListener('abort', kill, { once: true });
  if (signal?.aborted === true) kill();
  let errorOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (errorOutput.length < maxComplaint)
      errorOutput += chunk.toString('latin1').slice(0, maxComplaint - errorOutput.length);
  });
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit').then(
    ([code]) => code as number | null,
    () => null,
  );
  void ended.finally(() => {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', kill);
  });
  return { child, ended, kill, complaint: () => errorOutput };
};

export interface GitOutput {
  /** Null: killed. */
  readonly code: number | null;
  readonly output: Buffer;
  /** There was more output than allowed; the process was killed. */
  readonly isCut: boolean;
  readonly complaint: string;
}

const usualMilliseconds = 20_000;
const usualBytes = 2 ** 20;

/** Runs a command to its end and answers its output. */
export const runGit = async (
  directory: string | undefined,
  args: readonly string[],
  { input = '', maxBytes = usualBytes }: { readonly input?: string; readonly maxBytes?: number } = {},
): Promise<GitOutput> => {
  const { child, ended, kill, complaint } = startGit({ directory, args, milliseconds: usualMilliseconds });
  child.stdin?.end(input);
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  for await (const chunk of child.stdout as Readable) {
    const bytes = (chunk as Buffer).subarray(0, maxBytes - size);
    size += bytes.length;
    chunks.push(bytes);
    if (bytes.length === (chunk as Buffer).length) continue;
    isCut = true;
    kill();
  }
  return { code: await ended, output: Buffer.concat(chunks), isCut, complaint: complaint() };
};
