/**
 * Writes the first event of a new log like EventStoreDB: retention and access of `$scavenges`. With it, programs that
 * look for the newest event of `$all` find one.
 */
import { type Either, left, right } from 'fp-ts/Either';
import { lastPositionOf } from '../storage/read-pages';
import type { Storage } from '../storage/storage';
import { writeEvents } from '../storage/write-events';
import type { Writer } from '../storage/writer';

const scavengesMetadataStream = Buffer.from('$$$scavenges');
/** The same on every node, so that a log imported into a new node finds this event there. */
const initialEventId = '3f1a5b1e-6f0c-4c1b-9d7e-5c4a2e1f0b64';
const thirtyDaysInSeconds = 30 * 86_400;
const metadata = {
  $maxAge: thirtyDaysInSeconds,
  $acl: { $r: '$ops', $w: [], $d: [], $mr: [], $mw: [] },
};

/** Called at every start; does nothing if the log has events. Left: why the disk refused. */
export const writeInitialEvents = async ({
  storage,
  writer,
}: {
  readonly storage: Storage;
  readonly writer: Writer;
}): Promise<Either<string, undefined>> => {
  if (lastPositionOf(storage.tables) !== undefined) return right(undefined);
  const data = Buffer.from(JSON.stringify(metadata));
  const outcome = await writer.write((transaction) => {
    if (lastPositionOf(transaction.tables) !== undefined) return;
    writeEvents(transaction, scavengesMetadataStream, [
      { id: initialEventId, type: '$metadata', json: true, data, metadata: Buffer.alloc(0) },
    ]);
  });
  return outcome?.kind === 'refused' ? left(`The first event cannot be written: ${outcome.reason}`) : right(undefined);
};
