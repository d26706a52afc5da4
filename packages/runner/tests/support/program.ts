/** The program `septet-runner` beside a scripted service. Its jobs are ordinary processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type ControlPlane, openControlPlane, registrationToken } from './control-plane';
import { inDirectory } from './fixture';

export interface StartedProgram {
  readonly plane: ControlPlane;
  readonly program: ChildProcess;
  readonly directory: string;
  /** What it has written to standard error. */
  readonly errors: () => string;
}

export interface ProgramLimits {
  readonly heapMegabytes?: number;
  /** Of each file that the runner or a job writes. */
  readonly fileKibibytes?: number;
}

export const inProgram = (
  work: (started: StartedProgram) => Promise<void>,
  { heapMegabytes = 512, fileKibibytes }: ProgramLimits = {},
): Promise<void> =>
  inDirectory(async (directory) => {
    const plane = await openControlPlane();
    const options = ['--url', plane.url, '--token', registrationToken, '--directory', directory, '--isolation', 'none'];
    const file = join(__dirname, '..', '..', 'src', 'main.ts');
    const argv = [`--max-old-space-size=${heapMegabytes}`, '-r', 'tsx/cjs', file, ...options];
    const limit = `ulimit -f ${fileKibibytes ?? 'unlimited'}; exec "$@"`;
    const program = spawn('bash', ['-c', limit, 'bash', process.execPath, ...argv], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    program.stderr.on('data', (chunk) => {
      errors = `${errors}${String(chunk)}`.slice(-100_000);
    });
    const exited = once(program, 'exit');
    try {
      await plane.until(() => plane.messages.length > 0);
      await work({ plane, program, directory, errors: () => errors });
    } finally {
      program.kill('SIGKILL');
      await exited;
      await plane.close();
    }
  });
