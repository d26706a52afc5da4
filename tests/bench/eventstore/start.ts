/** From spawning the node to its line that it serves, at a million and at ten million events; the floor is a bare process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openStorage } from '../../../packages/eventstore-node/src/storage/storage';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { exitOf } from '../../support/processes/child-exit';
import { startEventStoreNode } from '../../support/servers/event-store-node';
import { percentile, report } from '../measure';
import { fill, gigabytesFree } from './fill';

const rounds = 5;
const million = 1_000_000;
const gigabytesNeeded = 10;

const milliseconds = async (task: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await task();
  return performance.now() - started;
};

const bareStart = async (): Promise<number> => {
  const started = performance.now();
  const child = spawn(process.execPath, ['-e', 'console.log(1)'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const took = performance.now() - started;
  await exitOf(child);
  return took;
};

/** Time of one start and the unshared memory after it, in KiB. */
const nodeStart = async (data: string): Promise<readonly [number, number]> => {
  const started = performance.now();
  const node = await startEventStoreNode(data);
  const took = performance.now() - started;
  const memory = node.unsharedMemory();
  await node.stop();
  return [took, memory];
};

const measure = async (data: string, name: string): Promise<void> => {
  const starts: number[] = [];
  const floors: number[] = [];
  const opens: number[] = [];
  let memory = 0;
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await bareStart());
    const [took, kibibytes] = await nodeStart(data);
    starts.push(took);
    memory = Math.max(memory, kibibytes);
    let close = async (): Promise<void> => undefined;
    opens.push(
      await milliseconds(async () => {
        const { tables } = openStorage(data);
        close = () => tables.root.close();
      }),
    );
    await close();
  }
  const baseline = percentile(floors, 0.5);
  report({ name: `eventstore.start.${name}`, value: percentile(starts, 0.5), unit: 'ms', baseline });
  report({ name: `eventstore.start.${name}.openStorage`, value: percentile(opens, 0.5), unit: 'ms' });
  report({ name: `eventstore.start.${name}.unsharedMemory`, value: memory / 1024, unit: 'MiB' });
};

export const benchStart = async (): Promise<void> => {
  if (gigabytesFree() < gigabytesNeeded)
    throw new Error(`The start bench needs ${gigabytesNeeded} GiB in the temporary directory.`);
  const data = temporaryDirectory('bench-start');
  try {
    await measure(data.path, 'empty');
    await fill(data.path, million);
    await measure(data.path, '1M');
    await fill(data.path, 9 * million);
    await measure(data.path, '10M');
  } finally {
    data.remove();
  }
};
