/**
 * A runner of the platform, which `npm start` brings: it takes jobs of every organization. It has the key of the workflow service, so it registers
 * without a token of an administrator.
 */
import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { platformTenant } from '../../domain/identity/ids';
import type { RunnerId } from '../../domain/workflow/ids';
import { anyText, loadConfig, variables } from '../../infra/server/runtime/config';
import { launcherVariables, onLauncherEnd } from '../../infra/server/runtime/launcher-channel';
import { openLog } from '../../infra/server/runtime/log';
import { type Runner, startRunner } from '../../packages/runner/src/index';
import { issueRegistrationToken, registrationSeconds } from './runners/registration-token';

const config = {
  PUBLIC_URL: variables.PUBLIC_URL,
  WORKFLOW_JOB_KEY: variables.WORKFLOW_JOB_KEY,
  /** Its credential and its sandboxes. */
  RUNNER_DIR: anyText,
};

/** `ubuntu-latest`, because most workflow files use it: jobs get what this machine has. */
const labels = ['managed', 'ubuntu-latest'];

/** Of a runner whose launcher is gone: its jobs are lost with it, and others get them. */
const closeMilliseconds = 5_000;

const main = async (): Promise<void> => {
  let running: Runner | undefined;
  onLauncherEnd(() => {
    setTimeout(() => process.exit(1), closeMilliseconds).unref();
    if (running === undefined) process.exit(1);
    void running.close();
  });
  // In the form of every service, of which the launcher shows warnings and errors.
  const log = openLog({ service: 'runner', level: 'info' });
  const fail = (fields: { readonly [field: string]: unknown }, message: string): never => {
    log.error(fields, message);
    process.exit(1);
  };
  const loaded = loadConfig(config, await launcherVariables(process.env));
  if (isLeft(loaded)) return fail({ faults: loaded.left }, 'the configuration is not usable');
  const { PUBLIC_URL: url, WORKFLOW_JOB_KEY: secret, RUNNER_DIR: directory } = loaded.right;
  const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  // The port may change with every start: the key is what stays.
  const installation = digestOf(`runner-installation ${secret}`).toString('hex');
  const token = issueRegistrationToken(digestOf(secret), {
    tenantId: platformTenant,
    runnerId: randomUUID() as RunnerId,
    expiresAt: Math.floor(Date.now() / 1_000) + registrationSeconds,
  });
  const started = await startRunner({
    url: new URL(url).origin,
    installation,
    directory,
    token,
    name: 'managed',
    labels,
    log: (level, message, fields) => log[level](fields, message),
  });
  if (isLeft(started)) return fail({ detail: started.left }, 'the runner could not start');
  const runner = started.right;
  running = runner;
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      signals += 1;
      if (signals === 1) runner.drain();
      else void runner.close();
    });
  process.send?.({ kind: 'ready' });
  const end = await runner.ended;
  // The service knows the runner no more, as after its log was replaced: the next start registers.
  if (end === 'unauthenticated') rmSync(join(directory, 'credential.json'), { force: true });
  process.exit(end === 'unauthenticated' ? 1 : 0);
};

void main();
