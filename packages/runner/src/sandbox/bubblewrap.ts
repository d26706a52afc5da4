/** Jobs in bubblewrap: they see no file, process or address of the machine but its programs. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { openSandboxes, sandboxDirectory } from '../../../sandbox/src/index';
import type { Sandbox, SandboxFault } from '../../../sandbox/src/ports';
import type { JobLimits, JobSandboxes } from './job-sandbox';

export interface BubblewrapOptions {
  readonly directory: string;
  /** `host`: jobs reach what the machine reaches, its own loopback services included. */
  readonly network: 'none' | 'host';
  readonly limits: JobLimits;
}

/** The longest time that timers of Node take; the runner ends jobs by their own timeouts long before. */
const longestSeconds = 2_147_483;

/** Left: what the machine lacks. */
export const openBubblewrap = async ({
  directory,
  network,
  limits,
}: BubblewrapOptions): Promise<Either<SandboxFault, JobSandboxes>> => {
  const opened = await openSandboxes({ directory: sandboxDirectory(resolve(directory)) });
  if (isLeft(opened)) return opened;
  const { sandboxes } = opened.right;
  const processLimits = {
    ...limits,
    wallSeconds: longestSeconds,
    cpuSeconds: longestSeconds,
    // The log has a limit of its own, which leaves out and does not end.
    outputBytes: Number.MAX_SAFE_INTEGER,
  };
  const make = async (): Promise<Either<SandboxFault, Sandbox>> =>
    sandboxes.prepare({ network, limits: processLimits });
  let isClosed = false;
  /** Made while no job waits for it, so that a job begins sooner. */
  let spare: Promise<Either<SandboxFault, Sandbox>> | undefined = make();
  const takeSpare = async (): Promise<Either<SandboxFault, Sandbox>> => {
    const taken = spare;
    spare = undefined;
    const made = await taken;
    return made === undefined || isLeft(made) ? make() : made;
  };
  return right({
    isolation: 'bwrap',
    prepare: async () => {
      const prepared = await takeSpare();
      if (isLeft(prepared)) return prepared;
      const sandbox = prepared.right;
      const { uid } = statSync(sandbox.directory);
      return right({
        directory: sandbox.directory,
        inside: '/work',
        searchPath: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        owner: uid === process.getuid?.() ? undefined : uid,
        exec: sandbox.exec,
        destroy: async () => {
          await sandbox.destroy();
          if (!isClosed) spare ??= make();
        },
      });
    },
    close: async () => {
      isClosed = true;
      await spare;
      await sandboxes.close();
    },
  });
};
