/** A process that runs a program in a sandbox until it is killed. Usage: starter.main.ts <directory> [open-only | <milliseconds until it kills itself>]. */
import { openSandboxes } from '../../../packages/sandbox/src/open-sandboxes';
import { expectSuccess } from '../blobs/suite/store-calls';
import { roomyLimits } from './fixture';

const [, , directory = '', mode] = process.argv;

const main = async (): Promise<void> => {
  const { sandboxes } = expectSuccess(await openSandboxes({ directory }));
  if (mode === 'open-only') return sandboxes.close();
  const sandbox = expectSuccess(await sandboxes.prepare({ limits: roomyLimits }));
  if (mode !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(mode));
  const argv = ['sh', '-c', 'echo ready; sleep 600; echo word-of-an-orphan'];
  const program = expectSuccess(await sandbox.exec({ argv }));
  program.stdout.pipe(process.stdout);
};

void main();
