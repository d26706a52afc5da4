/** Runs the verb as an operator would. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';

export interface Ran {
  readonly code: number | string;
  readonly output: string;
  readonly errors: string;
}

export const runVerb = (...argv: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const script = ['-r', 'tsx/cjs', 'infra/eventstore/node/main.ts', ...argv];
    execFile(process.execPath, script, (error, output, errors) => resolve({ code: error?.code ?? 0, output, errors }));
  });

export interface Summary {
  readonly events: number;
  readonly streams: number;
  readonly scavenged: { readonly events: number; readonly bytes: number };
}

/** Fails with the damage. */
export const verified = async (data: string): Promise<Summary> => {
  const { code, output, errors } = await runVerb('verify', '--data', data);
  assert.equal(code, 0, errors);
  return JSON.parse(output) as Summary;
};
