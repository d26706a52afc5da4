/** A launcher in a process of its own, to be killed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, markOf, type ProcessMark, send } from '../../../packages/data-directory/src/process-identity';
import { scriptArguments } from '../runner/compiled';
import { toolsDirectory } from '../servers/shared-servers';

export const markOfRunning = (pid: number): ProcessMark => {
  const mark = markOf(pid);
  assert.ok(mark, `process ${pid} runs`);
  return mark;
};

export const kill = (pid: number): void => send(pid, 'SIGKILL');

/** The test's own time limit ends the waiting. */
export const ended = async (process: ProcessMark): Promise<void> => {
  while (isRunning(process)) await sleep(20);
};

export const startLauncher = async (
  name: string,
  directory: string,
): Promise<{ launcher: ProcessMark; server: ProcessMark }> => {
  const script = join(__dirname, 'local-server.main.ts');
  const child = spawn(process.execPath, [...scriptArguments(script), name, directory, toolsDirectory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const failed = once(child, 'exit').then(([code]) =>
    assert.fail(`the launcher ended with ${code} before it was ready`),
  );
  // Once it is ready its end is what the test wants.
  failed.catch(() => undefined);
  const ready = once(createInterface(child.stdout), 'line');
  const [line] = (await Promise.race([ready, failed])) as [string];
  return { launcher: markOfRunning(child.pid as number), server: markOfRunning(Number(line)) };
};
