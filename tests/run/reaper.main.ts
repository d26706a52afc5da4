/** Waits on a pipe from the runner, and ends what a run has started once the runner is gone, however that came about. */
import { endProcessesOf, removeDirectory } from './leftovers';

const directory = process.argv[2] as string;

const reap = async (): Promise<void> => {
  await endProcessesOf(directory);
  removeDirectory(directory);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.on('end', () => void reap());
process.stdin.resume();
