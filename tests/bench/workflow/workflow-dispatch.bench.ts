/**
 * From a job that waits for a runner (`JobsQueued`) to the beginning of its first step, on an idle runner, through claim, assignment and socket; beside
 * preparing a bare sandbox and starting a shell in it.
 */
import { chmodSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { openSandboxes } from '../../../packages/sandbox/src/open-sandboxes';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { percentile, report } from '../measure';
import { startWorkflows, timeOf, workflowOf } from './running-workflows';

const [rounds, warmUp] = [60, 5];

const limits = {
  memoryBytes: 268_435_456,
  cpuSeconds: 10,
  wallSeconds: 30,
  processes: 32,
  openFiles: 128,
  diskBytes: 67_108_864,
  outputBytes: 1_048_576,
};

const bareStarts = async (): Promise<readonly number[]> => {
  const home = temporaryDirectory('bench-dispatch');
  chmodSync(home.path, 0o711);
  const opened = await openSandboxes({ directory: home.path });
  if (isLeft(opened)) throw new Error(opened.left.detail);
  const found: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const prepared = await opened.right.sandboxes.prepare({ limits });
    if (isLeft(prepared)) throw new Error(prepared.left.detail);
    const program = await prepared.right.exec({ argv: ['/bin/sh', '-c', 'echo begun'] });
    if (isLeft(program)) throw new Error(program.left.detail);
    await new Promise((resolve) => program.right.stdout.once('data', resolve));
    found.push(performance.now() - began);
    program.right.stderr.resume();
    await program.right.ended;
    await prepared.right.destroy();
  }
  await opened.right.sandboxes.close();
  home.remove();
  return found;
};

export const run = async (): Promise<void> => {
  const baseline = await bareStarts();
  const system = await startWorkflows({ short: workflowOf('short', 'true') });
  const dispatches: number[] = [];
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const events = await system.until(await system.begin('short'), 'RunCompleted');
    const completed = events.find(({ event }) => event.type === 'JobCompleted')?.event;
    const [step] = completed?.type === 'JobCompleted' ? completed.data.steps : [];
    const begun = Date.parse(step?.startedAt ?? '');
    if (round >= warmUp) dispatches.push(begun - timeOf(events, 'JobsQueued'));
  }
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const)
    report({
      name: `workflow-dispatch.${name}`,
      value: percentile(dispatches, share),
      unit: 'ms',
      baseline: percentile(baseline, share),
    });
  await system.close();
};
