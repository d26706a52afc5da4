/** Holds test files to what they declare: one that starts a program without declaring its prerequisite would fail on a machine without it. */
import childProcess, { type ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { onPath } from '../../packages/sandbox/src/on-path';
import { type Prerequisite, type PrerequisiteName, prerequisites, takeDeclared } from '../support/runner/prerequisites';
import type { TestResult } from './messages';

const started = new Set<string>();

const allPrograms: readonly string[] = Object.values(prerequisites).flatMap(({ programs }) => programs);
const pathsOfMachine = new Map(allPrograms.map((program) => [program, onPath(program)]));

/** A test that makes a program of its own under such a name needs nothing of the machine. */
const isOfMachine = (program: string): boolean =>
  !program.includes('/') || program === '/bin/sh' || program === pathsOfMachine.get(basename(program));

const note = (program: string, args: readonly string[]): void => {
  if (!isOfMachine(program)) return;
  started.add(basename(program));
  // `sh -c '…exec "$@"' sh git …`
  if (basename(program) === 'sh' && args[1] === '-c') for (const argument of args.slice(3, 5)) started.add(argument);
};

interface SpawnOptions {
  readonly file: string;
  readonly args?: readonly string[];
}

type Spawn = (this: ChildProcess, options: SpawnOptions) => unknown;

const prototype = childProcess.ChildProcess.prototype as unknown as { spawn: Spawn };
const { spawn } = prototype;
const { spawnSync, execFileSync } = childProcess;

/** All asynchronous ways to start a process lead here; the two synchronous ones do not. */
const watch = (): void => {
  prototype.spawn = function (options) {
    note(options.file, options.args ?? []);
    return spawn.call(this, options);
  };
  const noted =
    <Function extends (program: string, ...rest: never[]) => unknown>(run: Function) =>
    (program: string, ...rest: never[]): unknown => {
      note(program, []);
      return run(program, ...rest);
    };
  Object.assign(childProcess, {
    spawnSync: noted(spawnSync as never),
    execFileSync: noted(execFileSync as never),
  });
};

let isWatching = false;

const hasStarted = ({ programs }: Prerequisite): boolean => programs.some((program) => started.has(program));

const undeclaredNames = (): readonly string[] => {
  const declared = takeDeclared();
  return Object.entries(prerequisites)
    .filter(([name, prerequisite]) => hasStarted(prerequisite) && !declared.includes(name as PrerequisiteName))
    .map(([name]) => name);
};

export const recordPrograms = () => {
  if (!isWatching) watch();
  isWatching = true;
  started.clear();
  takeDeclared();
  return {
    /** A failure of the file, where there is something to declare. */
    takeUndeclared: (): TestResult | undefined => {
      const names = undeclaredNames();
      if (names.length === 0) return undefined;
      const calls = names.map((name) => `'${name}'`).join(', ');
      const error = `The file starts programs that a machine may lack: declare needs(${calls}), or remove it.`;
      return { title: 'declares its prerequisites', state: 'failed', milliseconds: 0, error };
    },
  };
};
