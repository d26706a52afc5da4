/** Worker processes that take jobs until none is left: test files, and scripts of `package.json` that run beside them. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { typescript } from '../support/runner/compiled';
import { MissingPrerequisite } from '../support/runner/missing-prerequisite';
import { root, type TestFile } from './files';
import { describeHang } from './hung-worker';
import { endProcessesOf, remainingProcessesOf, removeDirectory } from './leftovers';
import type { FileResult, FromWorker, SharedName, TestResult, ToWorker } from './messages';
import { valkeyDatabases } from './stores';

/** A worker that has grown beyond this is replaced: slow garbage collection would be taken for slow tests. */
const worstResidentBytes = 900_000_000;

export interface FileRun {
  readonly milliseconds: number;
  /** Used by the worker and the processes that it started. */
  readonly processorMilliseconds: number;
  readonly output: string;
}

export interface PoolOptions {
  /** Of the run. */
  readonly directory: string;
  readonly workers: number;
  readonly isPlanOnly: boolean;
  readonly shared: (name: SharedName) => Promise<string>;
  readonly onFile: (file: TestFile, result: FileResult, run: FileRun) => void;
  readonly onScript: (script: string, code: number, output: string, milliseconds: number) => void;
}

interface Worker {
  readonly child: ChildProcess;
  readonly directory: string;
  readonly ended: Promise<string>;
  /** What it and its processes have printed since the last call. */
  readonly takeOutput: () => string;
}

let started = 0;
let runs = 0;

const startWorker = async ({ directory: run, shared }: PoolOptions): Promise<Worker> => {
  started += 1;
  const directory = join(run, `worker-${started}`);
  mkdirSync(directory, { mode: 0o711 });
  const child = fork(join(__dirname, 'worker.main.ts'), [], {
    cwd: root,
    execArgv: ['--no-warnings', ...typescript()],
    // Temporary files of tests and of all that they start go under the worker's directory.
    env: { ...process.env, TMPDIR: directory, TEST_RUN_DIRECTORY: run, TEST_WORKER: String(started) },
    // In a group of its own: Ctrl-C reaches the runner alone, which ends its workers.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const send = (message: ToWorker): void => void (child.connected && child.send(message));
  child.on('message', (message: FromWorker) => {
    if (message.kind !== 'want') return;
    const { name } = message;
    shared(name).then(
      (value) => send({ kind: 'shared', name, value }),
      (error: unknown) =>
        send(
          error instanceof MissingPrerequisite
            ? { kind: 'shared', name, missing: error.message }
            : { kind: 'shared', name, error: String(error) },
        ),
    );
  });
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(`the worker ended with ${signal ?? code}`)),
  );
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    void ended.then((reason) => reject(new Error(reason)));
  });
  return { child, directory, ended, takeOutput: () => output.splice(0).join('') };
};

const endWorker = async ({ child, directory, ended }: Worker): Promise<void> => {
  child.kill('SIGKILL');
  await ended;
  await endProcessesOf(directory);
  removeDirectory(directory);
};

const failure = (title: string, error: string): TestResult => ({ title, state: 'failed', milliseconds: 0, error });

/** Of a process and of its children that have ended, as the kernel counts them in hundredths. */
const processorMilliseconds = async (pid: number | undefined): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field) * 10, 0);
};

const residentBytes = async ({ child }: Worker): Promise<number> => {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
};

/** Collects the worker's messages about one file. */
const listenTo = (child: ChildProcess) => {
  const results: TestResult[] = [];
  let current = 'loading the file';
  let receive: (message: FromWorker) => void = () => undefined;
  const finished = new Promise<readonly string[]>((resolve) => {
    receive = (message) => {
      if (message.kind === 'begin') current = message.title;
      if (message.kind === 'result') results.push(message.result);
      if (message.kind === 'done') resolve(message.skipReasons);
    };
    child.on('message', receive);
  });
  return { results, finished, current: () => current, close: () => child.off('message', receive) };
};

/** What became of a file, and whether its worker has to be replaced: it ended, took too long, or has processes left. */
const runFile = async (
  worker: Worker,
  file: TestFile,
  isPlanOnly: boolean,
): Promise<{ result: FileResult; isBroken: boolean }> => {
  const { fileMilliseconds, testMilliseconds, size } = file.suite;
  const { child, ended, directory } = worker;
  let limit: NodeJS.Timeout | undefined;
  const tooLong = new Promise<'too long'>((resolve) => {
    limit = setTimeout(() => resolve('too long'), fileMilliseconds);
  });
  const listening = listenTo(child);
  runs += 1;
  // Each file has a database of Valkey's, by number.
  const number = runs % valkeyDatabases;
  child.send({ kind: 'run', path: file.path, number, size, testMilliseconds, isPlanOnly } satisfies ToWorker);
  const outcome = await Promise.race([listening.finished, ended, tooLong]);
  clearTimeout(limit);
  listening.close();
  const { results, current } = listening;
  const broken = (error: string) => ({
    result: { results: [...results, failure(current(), error)], skipReasons: [] },
    isBroken: true,
  });
  if (outcome === 'too long') {
    const where = await describeHang({ pid: child.pid as number, directory, reports: dirname(directory) });
    return broken(`the file took longer than ${fileMilliseconds / 1000} s\n${where}`);
  }
  if (typeof outcome === 'string') return broken(outcome);
  const left = await remainingProcessesOf(directory, [child.pid as number]);
  if (left.length === 0) return { result: { results, skipReasons: outcome }, isBroken: false };
  const lines = left.map(({ pid, command }) => `  ${pid} ${command}`).join('\n');
  const leaving = failure('leaves no process behind', `still running:\n${lines}`);
  return { result: { results: [...results, leaving], skipReasons: outcome }, isBroken: true };
};

const runScript = (script: string): Promise<{ code: number; output: string }> =>
  new Promise((resolve, reject) => {
    // `npm test` sets npm's path in the environment; npm's folder may not be on the PATH.
    const npm = process.env.npm_execpath;
    const command = [...(npm === undefined ? ['npm'] : [process.execPath, npm]), 'run', '--silent', script];
    const [program = '', ...rest] = command;
    const child = spawn(program, rest, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => output.push(bytes));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(output).toString() }));
  });

export interface Pool {
  readonly run: (files: readonly TestFile[], scripts: readonly string[]) => Promise<void>;
  /** Takes no further job, and ends what runs. */
  readonly stop: () => Promise<void>;
}

export const openPool = (options: PoolOptions): Pool => {
  const workers = new Set<Worker>();
  const queues: { files: TestFile[]; scripts: string[] } = { files: [], scripts: [] };
  let isStopping = false;

  const replace = async (worker: Worker): Promise<undefined> => {
    workers.delete(worker);
    await endWorker(worker);
    return undefined;
  };

  /** One after the other, from what is left for all lanes. */
  const runLane = async (): Promise<void> => {
    let worker: Worker | undefined;
    for (;;) {
      const began = Date.now();
      const script = queues.scripts.shift();
      if (script !== undefined) {
        const { code, output } = await runScript(script);
        options.onScript(script, code, output, Date.now() - began);
        continue;
      }
      const file = queues.files.shift();
      if (file === undefined) break;
      worker ??= await startWorker(options);
      workers.add(worker);
      const before = await processorMilliseconds(worker.child.pid);
      const { result, isBroken } = await runFile(worker, file, options.isPlanOnly);
      // It was ended, which is no failure of the file.
      if (isStopping) return;
      const processor = (await processorMilliseconds(worker.child.pid)) - before;
      options.onFile(file, result, {
        milliseconds: Date.now() - began,
        processorMilliseconds: Math.max(0, processor),
        output: worker.takeOutput(),
      });
      if (isBroken || (await residentBytes(worker)) > worstResidentBytes) worker = await replace(worker);
    }
    if (worker !== undefined) await replace(worker);
  };

  return {
    run: async (files, scripts) => {
      [queues.files, queues.scripts] = [[...files], [...scripts]];
      await Promise.all(Array.from({ length: options.workers }, runLane));
    },
    stop: async () => {
      isStopping = true;
      [queues.files, queues.scripts] = [[], []];
      await Promise.all([...workers].map(replace));
    },
  };
};
