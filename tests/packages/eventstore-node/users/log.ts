/** A log of its own for each test, without a server, and what stands in it. */

import { numberOf } from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import {
  dataOf,
  type StoredRecord,
  streamOf,
  typeOf,
} from '../../../../packages/eventstore-node/src/storage/records/record-format';
import { openStorage, type Storage } from '../../../../packages/eventstore-node/src/storage/storage';
import { startWriter, type Writer } from '../../../../packages/eventstore-node/src/storage/writer';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

/** Nothing like the usual one, which takes its time. */
const strength = { cost: 16, blockSize: 8, parallelization: 1 };

export interface Log {
  readonly data: string;
  readonly storage: Storage;
  readonly writer: Writer;
  readonly strength: typeof strength;
}

export const withLog = async (use: (log: Log) => Promise<void>): Promise<void> => {
  const directory = temporaryDirectory('users');
  const storage = openStorage(directory.path);
  const writer = startWriter(storage, () => undefined);
  try {
    await use({ data: directory.path, storage, writer, strength });
  } finally {
    await writer.idle();
    await storage.tables.root.close();
    directory.remove();
  }
};

const recordsIn = ({ storage }: Log): readonly StoredRecord[] =>
  [...storage.tables.log.getRange({})].map(({ key, value }) => ({ position: numberOf(key), bytes: value }));

export interface Written {
  readonly stream: string;
  readonly type: string;
  readonly data: string;
}

/** Everything that was written, in order. */
export const written = (log: Log): readonly Written[] =>
  recordsIn(log).map(({ bytes }) => ({
    stream: streamOf(bytes).toString(),
    type: typeOf(bytes).toString(),
    data: dataOf(bytes).toString(),
  }));

export const namesWritten = (log: Log): readonly string[] =>
  written(log).map(({ stream, type }) => `${stream} ${type}`);
