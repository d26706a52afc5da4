/** Opens a log that another process writes, and reads one snapshot page by page, repeatedly; reports each result. */

import { logFileOf } from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import { checkPages } from '../../../../packages/eventstore-node/src/verify/pages/check-pages';
import { openSnapshot } from '../../../../packages/eventstore-node/src/verify/read-snapshot';

const directory = process.argv[2] ?? '';

/** Slower than the writer: what it has begun to read is replaced many times. */
const slowly = async (): Promise<void> => new Promise(setImmediate);

const look = async (walked: boolean): Promise<void> => {
  const snapshot = await openSnapshot(directory);
  if (walked) await checkPages(logFileOf(directory), () => slowly);
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
