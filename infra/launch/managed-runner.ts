/** A runner of the platform on this machine: it takes workflow jobs of every organization, one at a time, in sandboxes without network. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { issueRegistrationToken, registrationSeconds } from '../../commands/workflow/runners/registration-token';
import { platformTenant } from '../../domain/identity/streams';
import type { RunnerId } from '../../domain/workflow/ids';
import type { Log } from '../ports/runtime/log';
import { openSandboxes } from '../sandbox/open-sandboxes';
import { sandboxDirectory } from '../sandbox/sandbox-directory';
import type { Group } from './run-services';
import { secretFile } from './secret-files';
import { type LaunchContext, publicUrl, scriptOf } from './service-environment';
import { supervise } from './supervisor';
import { type Logs, step } from './terminal-output';

export const runnerDirectory = (data: string): string => join(data, 'runner');

/** For the first start in this directory; later ones find the credential and leave the token. */
const writeToken = ({ data, secrets }: LaunchContext): string => {
  const directory = runnerDirectory(data);
  mkdirSync(directory, { recursive: true });
  const secret = readFileSync(secretFile(secrets, 'workflow-job-key'), 'utf8').trim();
  const token = issueRegistrationToken(createHash('sha256').update(secret).digest(), {
    tenantId: platformTenant,
    runnerId: randomUUID() as RunnerId,
    expiresAt: Math.floor(Date.now() / 1_000) + registrationSeconds,
  });
  const file = join(directory, 'registration-token');
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return file;
};

const whyOff = async (data: string): Promise<string | undefined> => {
  const opened = await openSandboxes({ directory: sandboxDirectory(join(runnerDirectory(data), 'sandboxes')) });
  if (isLeft(opened)) return opened.left.detail;
  await opened.right.sandboxes.close();
  return undefined;
};

interface ManagedRunnerOptions {
  readonly log: Log;
  readonly logs: Logs;
  readonly around: LaunchContext;
}

export const runManagedRunner = async ({ log, logs, around }: ManagedRunnerOptions): Promise<Group> => {
  const reason = await whyOff(around.data);
  if (reason !== undefined) {
    step('runner', `off, so workflows wait for runners of your own: ${reason}`);
    return { stop: async () => undefined };
  }
  const directory = runnerDirectory(around.data);
  const child = supervise(log, {
    name: 'runner',
    script: [
      scriptOf('packages/runner/src/main'),
      ...['--url', publicUrl(around), '--token-file', writeToken(around)],
      ...['--directory', directory, '--name', 'managed'],
    ],
    env: {},
    line: logs.lineOf('runner'),
    ready: () => step('runner', 'ready'),
  });
  try {
    await child.started;
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { stop: child.stop };
};
