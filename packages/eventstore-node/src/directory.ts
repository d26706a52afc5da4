/** `@septet/eventstore-node/directory`: reads the log of a directory, and appends to one that no node serves. */
import { existsSync } from 'node:fs';
import { withSnapshot } from './backup/log-snapshot';
import { logFileOf, numberOf, positionKey } from './storage/lmdb-tables';
import { dataOf, isIntact, streamOf, typeOf } from './storage/records/record-format';
import { openStorage } from './storage/storage';
import { writeEvents } from './storage/write-events';
import { startWriter } from './storage/writer';

/** Whether anything was ever stored in it. */
export const hasLog = (directory: string): boolean => existsSync(logFileOf(directory));

export interface EventToAppend {
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly data: unknown;
  readonly metadata: unknown;
}

export type DirectoryAppendOutcome =
  | { readonly kind: 'appended' }
  | { readonly kind: 'refused'; readonly reason: string };

export interface LoggedData {
  readonly stream: string;
  readonly type: string;
  readonly position: number;
  /** A view, which is good until the next event is taken. */
  readonly data: Uint8Array;
}

/**
 * Calls `use` with the events after a position (undefined: all), in order, as they were at one moment; system streams are left out. A node may serve
 * the directory meanwhile. Throws at a damaged event.
 */
export const readDirectory = async (
  directory: string,
  after: number | undefined,
  use: (event: LoggedData) => void,
): Promise<void> => {
  await withSnapshot(directory, ({ log }) => {
    const range = after === undefined ? {} : { start: positionKey(after), exclusiveStart: true };
    for (const { key, value } of log.getRange({ ...range, snapshot: true })) {
      const position = numberOf(key);
      if (!isIntact(value)) throw new Error(`The event at position ${position} is damaged.`);
      const stream = streamOf(value).toString('utf8');
      if (!stream.startsWith('$')) use({ stream, type: typeOf(value).toString('utf8'), position, data: dataOf(value) });
    }
  });
};

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** Appends whatever the stream holds already. The caller makes sure that no node serves the directory. */
export const appendToDirectory = async (
  directory: string,
  stream: string,
  events: readonly EventToAppend[],
): Promise<DirectoryAppendOutcome> => {
  const storage = openStorage(directory);
  try {
    const records = events.map(({ id, type, data, metadata }) => ({
      id,
      type,
      json: true,
      data: bytesOf(data),
      metadata: bytesOf(metadata),
    }));
    const writer = startWriter(storage, () => undefined);
    const outcome = await writer.write((transaction) => writeEvents(transaction, Buffer.from(stream), records));
    return outcome.kind === 'appended' || outcome.kind === 'refused'
      ? outcome
      : { kind: 'refused', reason: outcome.kind };
  } finally {
    await storage.tables.root.close();
  }
};
