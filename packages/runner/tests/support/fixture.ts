/** A runner beside a scripted service, in a directory of its own. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { type Runner, type RunnerOptions, startRunner } from '../../src/index';
import { type ControlPlane, openControlPlane, type Report, registrationToken } from './control-plane';
import { assignmentOf, type JobInput } from './jobs';

export interface Stage {
  readonly plane: ControlPlane;
  readonly runner: Runner;
  readonly directory: string;
  /** The runner's own log. */
  readonly messages: string[];
  /** The job's report. */
  readonly perform: (job: JobInput) => Promise<Report>;
}

type Work = (stage: Stage) => Promise<void>;

export const quickTiming = {
  heartbeatMilliseconds: 50,
  leaseMarginMilliseconds: 5_000,
  pauses: { interrupt: 150, terminate: 150 },
  log: { chunkMilliseconds: 20, drainMilliseconds: 2_000 },
};

export const inDirectory = async (work: (directory: string) => Promise<void>): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'septet-runner-'));
  // Programs run as other users when the tests run as root.
  chmodSync(directory, 0o711);
  try {
    await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

export const inRunner = (
  work: Work,
  options: Partial<RunnerOptions> = {},
  script?: (plane: ControlPlane) => void,
): Promise<void> => inDirectory((directory) => runIn(directory, { work, options, script }));

interface Run {
  readonly work: Work;
  readonly options: Partial<RunnerOptions>;
  readonly script: ((plane: ControlPlane) => void) | undefined;
}

const runIn = async (directory: string, { work, options, script }: Run): Promise<void> => {
  const plane = await openControlPlane();
  script?.(plane);
  const messages: string[] = [];
  const started = await startRunner({
    url: plane.url,
    token: registrationToken,
    directory,
    name: 'build-1',
    log: (...line) => messages.push(JSON.stringify(line)),
    timing: quickTiming,
    ...options,
  });
  if (isLeft(started)) assert.fail(started.left);
  const runner = started.right;
  const perform: Stage['perform'] = async (job) => {
    plane.push(assignmentOf(job));
    await plane.until(() => plane.report() !== undefined);
    return plane.report() as Report;
  };
  try {
    if (plane.acceptsSockets) await plane.until(() => plane.messages.length > 0);
    await work({ plane, runner, directory, messages, perform });
  } finally {
    await runner.close();
    await plane.close();
  }
};

/** Statuses of the steps, in their order. */
export const statusesOf = ({ steps }: Report): readonly string[] => steps.map(({ status }) => status);
