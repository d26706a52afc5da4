/** The program of `packages/runner` as a process that a test kills, freezes and starts again. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { entryPath } from '../../../infra/server/bundle/entry-path';
import { descendantsOf } from '../processes/launcher';
import { typescript } from '../runner/compiled';
import { eventually } from '../waiting/eventually';

export interface RunnerProgramOptions {
  readonly url: string;
  /** Of its registration. */
  readonly token: string;
  /** Made where it is missing; its credential lies there. */
  readonly directory: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly slots?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Loaded before it. */
  readonly preloads?: readonly string[];
}

export interface RunnerProgram {
  readonly pid: () => number;
  /** Lines that it has written since its last start. */
  readonly lines: () => readonly string[];
  /** Processes of its sandboxes. */
  readonly sandboxed: () => readonly number[];
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** kill -9; with it go its sandboxes. */
  readonly kill: () => Promise<void>;
  /** Again, after `kill`, with the credential that it has. */
  readonly start: () => Promise<void>;
}

export const startRunnerProgram = async (options: RunnerProgramOptions): Promise<RunnerProgram> => {
  const { url, token, directory, name, labels, slots = 1, env, preloads = [] } = options;
  mkdirSync(directory, { recursive: true, mode: 0o711 });
  let child: ChildProcess | undefined;
  let lines: string[] = [];
  const pid = (): number => {
    assert.ok(child?.pid !== undefined && child.exitCode === null && child.signalCode === null, `${name} runs`);
    return child.pid;
  };
  const start = async (): Promise<void> => {
    lines = [];
    const words = ['--url', url, '--token', token, '--directory', directory, '--name', name];
    const preloading = preloads.length === 0 ? [] : [...typescript(), ...preloads.flatMap((path) => ['-r', path])];
    const script = [...preloading, entryPath('packages/runner/src/main')];
    child = spawn(process.execPath, [...script, ...words, '--labels', labels.join(), '--slots', String(slots)], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    createInterface(child.stderr as NodeJS.ReadableStream).on('line', (line) => lines.push(line));
    await eventually(async () =>
      assert.ok(
        lines.some((line) => line.includes('"connected"')),
        lines.join('\n'),
      ),
    );
  };
  await start();
  return {
    pid,
    lines: () => lines,
    sandboxed: () => descendantsOf(pid()),
    freeze: () => void process.kill(pid(), 'SIGSTOP'),
    thaw: () => void process.kill(pid(), 'SIGCONT'),
    kill: async () => {
      const ending = child as ChildProcess;
      if (ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = once(ending, 'exit');
      ending.kill('SIGKILL');
      await ended;
    },
    start,
  };
};
