/** That a log is whole: by the verb as an operator runs it, or inside this process. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { entryPath } from '../../../../infra/server/bundle/entry-path';
import { type CheckResult, checkAll } from '../../../../packages/eventstore-node/src/verify/check-all';

export interface CommandResult {
  readonly code: number | string;
  readonly output: string;
  readonly errors: string;
}

/** Progress lines that are printed each second; on a busy machine any step may take long. */
const progress = /^\{"\w+":\d+,"of":\d+\}\n/gm;

export const runVerb = (...argv: readonly string[]): Promise<CommandResult> =>
  new Promise((resolve) => {
    const script = [entryPath('packages/eventstore-node/src/cli/main'), ...argv];
    execFile(process.execPath, script, (error, output, errors) =>
      resolve({ code: error?.code ?? 0, output, errors: errors.replaceAll(progress, '') }),
    );
  });

export interface Summary {
  readonly events: number;
  readonly streams: number;
  readonly scavenged: { readonly events: number; readonly bytes: number };
}

/** Fails with the damage. */
export const verifyByCommand = async (data: string): Promise<Summary> => {
  const { code, output, errors } = await runVerb('verify', '--data', data);
  assert.equal(code, 0, errors);
  return JSON.parse(output) as Summary;
};

/** The same walk without a program's start; throws the damage. */
export const verifyInProcess = async (data: string): Promise<CheckResult> => {
  const walked = await checkAll(data, () => undefined);
  assert.ok(walked !== undefined, `There is no log in ${data}.`);
  return walked;
};
