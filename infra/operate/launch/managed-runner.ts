/** A runner of the platform on this machine: it takes workflow jobs of every organization, one at a time, in sandboxes without network. */
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { openSandboxes, sandboxDirectory } from '../../../packages/sandbox/src/index';
import type { Log } from '../../ports/runtime/log';
import { entryPath } from '../../server/bundle/entry-path';
import type { Group } from './run-services';
import { secretFile } from './secret-files';
import { type LaunchContext, publicUrl } from './service-environment';
import { couldNotStart, supervise } from './supervisor';
import { type Logs, terminal } from './terminal-output';

const whyOff = async (directory: string, log: Log): Promise<string | undefined> => {
  const opened = await openSandboxes({ directory: sandboxDirectory(join(directory, 'sandboxes')) });
  if (isLeft(opened)) {
    log.info({ ...opened.left }, 'no sandboxes for the runner');
    return opened.left.detail;
  }
  await opened.right.sandboxes.close();
  return undefined;
};

interface ManagedRunnerOptions {
  readonly log: Log;
  readonly logs: Logs;
  readonly around: Pick<LaunchContext, 'data' | 'host' | 'ports' | 'secrets'>;
  /** Settled when it can register. */
  readonly gateway: Promise<void>;
}

/** It loads its modules at once. */
export const runManagedRunner = async ({ log, logs, around, gateway }: ManagedRunnerOptions): Promise<Group> => {
  const directory = join(around.data, 'runner');
  const reason = await whyOff(directory, log);
  if (reason !== undefined) {
    terminal.off('runner', reason);
    return { started: Promise.resolve(), stop: async () => undefined };
  }
  const child = supervise(log, {
    name: 'runner',
    recordIn: around.data,
    isOptional: true,
    script: [entryPath('commands/workflow/managed-runner.main')],
    variables: async () => {
      await gateway;
      return {
        PUBLIC_URL: publicUrl(around),
        WORKFLOW_JOB_KEY_FILE: secretFile(around.secrets, 'workflow-job-key'),
        RUNNER_DIR: directory,
      };
    },
    line: logs.lineOf('runner'),
    logFile: logs.pathOf('runner'),
    ready: () => terminal.ready('runner'),
  });
  const started = child.started.catch(() => terminal.off('runner', couldNotStart(logs.pathOf('runner'))));
  return { started, stop: child.stop };
};
