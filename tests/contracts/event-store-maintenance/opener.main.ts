/** Opens a log that another process writes, reads one moment of it page by page, again and again; says each time what it made of it. */
import { walkPages } from '../../../packages/eventstore-node/src/maintenance/verify/pages/walk-pages';
import { takeSnapshot } from '../../../packages/eventstore-node/src/maintenance/verify/snapshot';
import { fileOf } from '../../../packages/eventstore-node/src/storage/database';

const directory = process.argv[2] ?? '';

/** Slower than the writer: what it has begun to read is replaced many times. */
const slowly = async (): Promise<void> => new Promise(setImmediate);

const look = async (walked: boolean): Promise<void> => {
  const snapshot = takeSnapshot(directory);
  if (walked) await walkPages(fileOf(directory), () => slowly);
  await snapshot?.close();
};

const openAgainAndAgain = async (): Promise<void> => {
  for (let opened = 1; ; opened += 1) {
    await look(opened % 10 === 0);
    process.send?.({ opened });
  }
};

process.once('disconnect', () => process.exit(0));
openAgainAndAgain().catch((error: unknown) => process.send?.({ damage: String(error) }));
