/**
 * Sandboxes with the reader in them, loaded, which waits for its one file. While a file is read, the next sandbox is made ready, so that files do not wait
 * until Node has started. Each is used once: nothing of one file is there when the next one is read.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReaderProgram } from '../../../infra/ports/files/reader-program';
import type {
  ProgramRejection,
  Sandbox,
  SandboxedProgram,
  Sandboxes,
  SandboxFault,
  SandboxLimits,
} from '../../../packages/sandbox/src/ports';

const limits: SandboxLimits = {
  memoryBytes: 1_073_741_824,
  cpuSeconds: 300,
  wallSeconds: 600,
  processes: 64,
  openFiles: 256,
  diskBytes: 2_147_483_648,
  outputBytes: 1_048_576,
};

/** Recognition takes seconds for each page; the reader ends it by itself before. */
const recognitionLimits: SandboxLimits = { ...limits, cpuSeconds: 7_200, wallSeconds: 3_900 };

const inside = { node: '/reader-node', directory: '/work' };

/** Without files, the spare sandbox ends after this time: an idle worker has none. */
const spareMilliseconds = 10_000;

export interface ReaderTask {
  readonly mode: 'detect' | 'read' | 'recognise' | 'decode';
  /** Of the file's name. */
  readonly ending: string;
}

export interface ReaderSandbox extends Pick<Sandbox, 'directory' | 'destroy'> {
  readonly program: SandboxedProgram;
  /** Once `file`, and what else the task needs, is in the directory. */
  readonly begin: (task: ReaderTask) => void;
}

type Started = Either<SandboxFault | ProgramRejection, ReaderSandbox>;

export interface ReaderSandboxes {
  /** Callers destroy what they take. */
  readonly take: (mode: ReaderTask['mode']) => Promise<Started>;
  readonly close: () => Promise<void>;
}

export interface ReaderSandboxesOptions {
  readonly sandboxes: Sandboxes;
  readonly reader: ReaderProgram;
  /** Whether the next sandbox is made ready ahead of its file. */
  readonly hasSpare?: boolean;
}

const runIn = async (sandbox: Sandbox, { files, node }: ReaderProgram): Promise<Started> => {
  for (const { name, content } of files) await writeFile(join(sandbox.directory, name), content, { mode: 0o644 });
  const task = new PassThrough();
  const script = `${inside.directory}/${files[0].name}`;
  const started = await sandbox.exec({
    argv: [node === undefined ? 'node' : inside.node, script, `${inside.directory}/file`, inside.directory],
    niceness: 5,
    stdin: task,
  });
  if (isLeft(started)) return started;
  started.right.stderr.resume();
  const { directory, destroy } = sandbox;
  return right({ directory, destroy, program: started.right, begin: (named) => task.end(JSON.stringify(named)) });
};

const start = async ({ sandboxes, reader }: ReaderSandboxesOptions, within = limits): Promise<Started> => {
  const inputs = reader.node === undefined ? [] : [{ source: reader.node, target: inside.node }];
  const prepared = await sandboxes.prepare({ limits: within, inputs });
  if (isLeft(prepared)) return prepared;
  let isStarted = false;
  try {
    const started = await runIn(prepared.right, reader);
    isStarted = !isLeft(started);
    return started;
  } finally {
    if (!isStarted) await prepared.right.destroy();
  }
};

interface Spare {
  readonly started: Promise<ReaderSandbox | undefined>;
  readonly expiry: NodeJS.Timeout;
}

export const openReaderSandboxes = (options: ReaderSandboxesOptions): ReaderSandboxes => {
  let isOpen = options.hasSpare ?? true;
  let spare: Spare | undefined;

  const takeSpare = (): Promise<ReaderSandbox | undefined> | undefined => {
    const taken = spare;
    spare = undefined;
    clearTimeout(taken?.expiry);
    return taken?.started;
  };
  const dropSpare = async (): Promise<void> => {
    const dropped = await takeSpare();
    await dropped?.destroy();
  };
  /** Undefined where it could not be started: the file that needs it starts another one, and learns why that fails. */
  const startSpare = async (): Promise<ReaderSandbox | undefined> => {
    const started = await start(options).catch(() => undefined);
    return started === undefined || isLeft(started) ? undefined : started.right;
  };
  const makeSpare = (): void => {
    if (!isOpen || spare !== undefined) return;
    const expiry = setTimeout(() => void dropSpare().catch(() => undefined), spareMilliseconds).unref();
    const made: Spare = { started: startSpare(), expiry };
    spare = made;
    const dropEnded = async (): Promise<void> => {
      await (await made.started)?.program.ended;
      if (spare === made) await dropSpare();
    };
    void dropEnded().catch(() => undefined);
  };

  return {
    take: async (mode) => {
      if (mode === 'recognise') return start(options, recognitionLimits);
      const ready = await takeSpare();
      const taken = ready === undefined ? await start(options) : right(ready);
      makeSpare();
      return taken;
    },
    close: async () => {
      isOpen = false;
      await dropSpare();
    },
  };
};
