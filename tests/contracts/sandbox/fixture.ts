/** Sandboxes of the machine, and programs that run in them to their end. */
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { openSandboxes } from '../../../packages/sandbox/src/open-sandboxes';
import type {
  ExecRequest,
  PrepareSandbox,
  ProgramEnd,
  Sandbox,
  SandboxedProgram,
  Sandboxes,
  SandboxLimits,
} from '../../../packages/sandbox/src/ports';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { expectSuccess } from '../blobs/suite/store-calls';

export const roomyLimits: SandboxLimits = {
  memoryBytes: 256 * 1_024 * 1_024,
  cpuSeconds: 20,
  wallSeconds: 60,
  processes: 32,
  openFiles: 128,
  diskBytes: 64 * 1_024 * 1_024,
  outputBytes: 1_048_576,
};

export interface RunResult {
  readonly end: ProgramEnd;
  readonly stdout: string;
  readonly stderr: string;
}

export const exitCode = ({ end }: RunResult): number => (end.kind === 'exited' ? end.code : assert.fail(end.kind));

const textOf = async (stream: SandboxedProgram['stdout']): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

export const resultOf = async (program: SandboxedProgram): Promise<RunResult> => {
  const [stdout, stderr, end] = await Promise.all([textOf(program.stdout), textOf(program.stderr), program.ended]);
  return { end, stdout, stderr };
};

export interface SandboxStage {
  readonly sandboxes: () => Sandboxes;
  readonly prepare: (limits?: Partial<SandboxLimits>, more?: Omit<PrepareSandbox, 'limits'>) => Promise<Sandbox>;
  /** In a sandbox of its own. */
  readonly run: (
    argv: readonly string[],
    limits?: Partial<SandboxLimits>,
    more?: Partial<ExecRequest>,
  ) => Promise<RunResult>;
  readonly python: (program: string, limits?: Partial<SandboxLimits>) => Promise<RunResult>;
}

/** Registers its hooks with the describe that calls it, and skips that where the machine isolates nothing. */
export const useSandboxes = (): SandboxStage => {
  const home = temporaryDirectory('sandboxes');
  // Programs run as other users when the tests run as root.
  chmodSync(home.path, 0o711);
  let sandboxes: Sandboxes | undefined;
  needs('isolation');
  before(async () => {
    const opened = await openSandboxes({ directory: home.path });
    if (isLeft(opened)) throw new Error(opened.left.detail);
    sandboxes = opened.right.sandboxes;
  });
  after(async () => {
    await sandboxes?.close();
    home.remove();
  });
  const current = (): Sandboxes => sandboxes ?? assert.fail('it has not been opened');
  const prepare: SandboxStage['prepare'] = async (limits = {}, more = {}) =>
    expectSuccess(await current().prepare({ limits: { ...roomyLimits, ...limits }, ...more }));
  const run: SandboxStage['run'] = async (argv, limits, more = {}) => {
    const sandbox = await prepare(limits);
    try {
      return await resultOf(expectSuccess(await sandbox.exec({ argv, ...more })));
    } finally {
      await sandbox.destroy();
    }
  };
  return { sandboxes: current, prepare, run, python: (program, limits) => run(['python3', '-c', program], limits) };
};
