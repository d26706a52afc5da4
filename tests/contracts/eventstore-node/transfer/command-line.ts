/** The node's verbs as programs. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { entryPath } from '../../../../infra/server/bundle/entry-path';

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export const startVerb = (argv: readonly string[]): ChildProcessWithoutNullStreams => {
  const child = spawn(process.execPath, [entryPath('packages/eventstore-node/src/cli/main'), ...argv]);
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  return child;
};

/** Once it has ended, by itself or killed. */
export const waitForExit = async (child: ChildProcessWithoutNullStreams): Promise<CommandResult> => {
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, output, errors };
};

/** With an input that it is given whole. */
export const runVerb = (argv: readonly string[], input = ''): Promise<CommandResult> => {
  const child = startVerb(argv);
  child.stdin.end(input);
  return waitForExit(child);
};

export const exportByCommand = async (url: string, ...more: readonly string[]): Promise<string> => {
  const { code, output, errors } = await runVerb(['export', '--url', url, ...more]);
  assert.equal(code, 0, errors);
  return output;
};

export const importByCommand = async (argv: readonly string[], input = ''): Promise<Record<string, unknown>> => {
  const { code, output, errors } = await runVerb(['import', ...argv], input);
  assert.equal(code, 0, errors);
  return JSON.parse(output) as Record<string, unknown>;
};
