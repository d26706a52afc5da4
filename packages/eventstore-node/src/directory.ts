/** `@septet/eventstore-node/directory`: reads and writes the log of a directory that no node serves. */
import { existsSync } from 'node:fs';
import { logFileOf } from './storage/lmdb-tables';
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
