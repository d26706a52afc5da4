/**
 * Jobs as ordinary programs of this machine, for runners with that setting: they can do what the runner's user can. What a step leaves
 * running is found by a variable of its environment, and ended with the step.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { left, right } from 'fp-ts/Either';
import type { ExecRequest, ProgramEnd, SandboxedProgram } from '../../../sandbox/src/ports';
import type { JobSandboxes } from './job-sandbox';

const markVariable = 'SEPTET_PROGRAM';

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
};

/** `mark`: of one program, or the beginning of all marks of a directory. */
const isMarked = (pid: number, mark: string): boolean => {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.some((variable) => variable.startsWith(`${markVariable}=${mark}`));
  } catch {
    return false;
  }
};

const markedProcesses = (mark: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isMarked(pid, mark));

/** Until none is left: they may start others meanwhile. */
const endMarked = async (mark: string): Promise<void> => {
  for (let pids = markedProcesses(mark); pids.length > 0; pids = markedProcesses(mark)) {
    for (const pid of pids) send(pid, 'SIGKILL');
    await sleep(5);
  }
};

interface PlainProgram extends SandboxedProgram {
  readonly destroy: () => Promise<void>;
}

const start = async (
  { argv, environment, directory, stdin }: ExecRequest,
  home: string,
  marks: string,
): Promise<PlainProgram> => {
  const mark = `${marks}${randomUUID()}`;
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    cwd: directory ?? home,
    env: {
      HOME: home,
      LANG: 'C.UTF-8',
      ...environment,
      [markVariable]: mark,
    },
    stdio: 'pipe',
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  await once(child, 'spawn');
  if (stdin === undefined) child.stdin.end();
  else void pipeline(Readable.from(stdin), child.stdin as Writable).catch(() => undefined);
  let isDestroyed = false;
  const ended = (once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>).then(
    async ([code, signal]): Promise<ProgramEnd> => {
      await endMarked(mark);
      if (isDestroyed) return { kind: 'destroyed' };
      return signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal };
    },
  );
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    signal: (name) => {
      for (const pid of markedProcesses(mark)) send(pid, name);
    },
    ended,
    destroy: async () => {
      isDestroyed = true;
      await endMarked(mark);
      await ended;
    },
  };
};

/** Ends what a killed runner has left in the same directory. */
export const openPlain = async (directory: string): Promise<JobSandboxes> => {
  const base = resolve(directory);
  const marks = `${base}:`;
  await endMarked(marks);
  await rm(base, { recursive: true, force: true });
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const open = new Set<() => Promise<void>>();
  return {
    isolation: 'none',
    prepare: async () => {
      const home = mkdtempSync(join(base, 'job-'));
      const running = new Set<PlainProgram>();
      const destroy = async (): Promise<void> => {
        open.delete(destroy);
        await Promise.all([...running].map((program) => program.destroy()));
        await rm(home, { recursive: true, force: true });
      };
      open.add(destroy);
      return right({
        directory: home,
        inside: home,
        searchPath: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
        owner: undefined,
        exec: async (request) => {
          try {
            const program = await start(request, home, marks);
            running.add(program);
            void program.ended.then(() => running.delete(program));
            return right(program);
          } catch (error) {
            const { code } = error as NodeJS.ErrnoException;
            const detail = `${request.argv[0] ?? ''} cannot be started (${code ?? 'unknown'}).`;
            return left({ kind: 'rejection', code: 'program-refused', detail });
          }
        },
        destroy,
      });
    },
    close: async () => {
      await Promise.all([...open].map((destroy) => destroy()));
    },
  };
};
