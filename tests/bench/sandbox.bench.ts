/** From the call of `exec` to the first output of a program, beside starting the same program without a sandbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { openSandboxes } from '../../packages/sandbox/src/open-sandboxes';
import type { Sandbox } from '../../packages/sandbox/src/ports';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { percentile, report } from './measure';

const rounds = 200;
const argv = ['/bin/echo', 'begun'] as const;

const limits = {
  memoryBytes: 268_435_456,
  cpuSeconds: 10,
  wallSeconds: 30,
  processes: 32,
  openFiles: 128,
  diskBytes: 67_108_864,
  outputBytes: 1_048_576,
};

const bare = async (): Promise<number> => {
  const began = performance.now();
  const child = spawn(argv[0], argv.slice(1), { env: {} });
  await once(child.stdout, 'data');
  const milliseconds = performance.now() - began;
  if (child.exitCode === null) await once(child, 'exit');
  return milliseconds;
};

const sandboxed = async (sandbox: Sandbox): Promise<number> => {
  const began = performance.now();
  const program = await sandbox.exec({ argv });
  if (isLeft(program)) throw new Error(program.left.detail);
  await once(program.right.stdout, 'data');
  const milliseconds = performance.now() - began;
  program.right.stderr.resume();
  await program.right.ended;
  return milliseconds;
};

export const run = async (): Promise<void> => {
  const home = temporaryDirectory('bench-sandbox');
  chmodSync(home.path, 0o711);
  const opened = await openSandboxes({ directory: home.path });
  if (isLeft(opened)) throw new Error(opened.left.detail);
  const { sandboxes } = opened.right;
  const prepared = await sandboxes.prepare({ limits });
  if (isLeft(prepared)) throw new Error(prepared.left.detail);
  const [inside, outside]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    outside.push(await bare());
    inside.push(await sandboxed(prepared.right));
  }
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [value, baseline] = [percentile(inside, share), percentile(outside, share)];
    report({ name: `sandbox.start.${name}`, value, unit: 'ms', baseline });
    report({ name: `sandbox.start.added.${name}`, value: value - baseline, unit: 'ms', baseline: 25 });
  }
  await sandboxes.close();
  home.remove();
};
