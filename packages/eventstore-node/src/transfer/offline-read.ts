/** Reads the log of a directory that no node serves, in order. */
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { isLeft } from 'fp-ts/Either';
import { describeProcess, lockDirectory } from '../../../data-directory/src/index';
import { readAllPage } from '../storage/read-pages';
import { messageOf } from '../storage/records/record-format';
import { openStorage } from '../storage/storage';
import type { LoggedEvent } from './format/event-line';
import { decodeLoggedEvent } from './server/read-events';
import { isSystemStream } from './system-streams';
import { TransferError } from './transfer-error';

const { RecordedEvent } = ReadResp.ReadEvent;
const recordsAtOnce = 64;

/** From a position on, without system streams. The directory is locked until the iteration ends. */
export async function* readOfflineLog(directory: string, position = 0): AsyncGenerator<LoggedEvent, void> {
  const lock = lockDirectory(directory, 'node');
  if (isLeft(lock)) throw new TransferError(`${directory} is in use by ${describeProcess(lock.left)}.`);
  try {
    const { tables } = openStorage(directory);
    try {
      for (let from = position, more = true; more; ) {
        const shape = { from, limit: recordsAtOnce, window: recordsAtOnce, direction: 'forwards' } as const;
        const page = readAllPage(tables, { ...shape, matches: () => true });
        for (const { bytes } of page.records) {
          const event = decodeLoggedEvent(RecordedEvent.deserializeBinary(messageOf(bytes)));
          if (!isSystemStream(event.stream)) yield event;
        }
        more = page.more;
        from = (page.last ?? from) + 1;
      }
    } finally {
      await tables.root.close();
    }
  } finally {
    lock.right.release();
  }
}
