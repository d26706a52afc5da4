/**
 * What EventStoreDB writes by itself when it starts for the first time: who may read `$scavenges`, and for how long it is kept. It is the
 * first event of `$all`, so that programs which look for the newest event find one in a log that nobody has written to.
 */
import { type Either, left, right } from 'fp-ts/Either';
import { endOf } from './storage/read';
import type { Storage } from './storage/storage';
import { writeEvents } from './storage/write';
import type { Writer } from './storage/writer';

const stream = Buffer.from('$$$scavenges');
/** The same on every node: a log that is imported into a new node finds its own first event there. */
const id = '3f1a5b1e-6f0c-4c1b-9d7e-5c4a2e1f0b64';
const thirtyDaysInSeconds = 30 * 86_400;
const metadata = {
  $maxAge: thirtyDaysInSeconds,
  $acl: { $r: '$ops', $w: [], $d: [], $mr: [], $mw: [] },
};

/** At every start; a log that holds anything stays as it is. Left is why the disk refused. */
export const writeFirstEvents = async ({
  storage,
  writer,
}: {
  readonly storage: Storage;
  readonly writer: Writer;
}): Promise<Either<string, undefined>> => {
  if (endOf(storage.tables) !== undefined) return right(undefined);
  const data = Buffer.from(JSON.stringify(metadata));
  const outcome = await writer.write((transaction) => {
    if (endOf(transaction.tables) !== undefined) return;
    writeEvents(transaction, stream, [{ id, type: '$metadata', json: true, data, metadata: Buffer.alloc(0) }]);
  });
  return outcome?.kind === 'refused' ? left(`The first event cannot be written: ${outcome.reason}`) : right(undefined);
};
