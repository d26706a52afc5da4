/** Puts an exported log into a directory that holds none, without a server: revisions, ids and times stay as they were. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { lockDirectory } from '../../../lock';
import { flush } from '../backup/files';
import { dataFile } from '../backup/snapshot';
import { isEnded } from '../storage/heads';
import { openStorage } from '../storage/storage';
import { noStream, writeEvents, writeTombstone } from '../storage/write';
import { startWriter, type Transaction, type Writer } from '../storage/writer';
import { shown, TransferError } from './faults';
import { isTombstone, weightOf } from './group';
import type { ExportedLog, LoggedLine } from './read-log';

type Complaint = string | undefined;

/** The next event has its revision in the log, whatever comes before it here. */
const putEvent = (transaction: Transaction, { line, event }: LoggedLine): Complaint => {
  const { stream, revision } = event;
  const head = transaction.heads.get(stream) ?? {
    number: transaction.next,
    last: noStream,
    tombstoned: false,
    retention: {},
  };
  if (revision <= head.last) return `Line ${line}: revision ${revision} of ${shown(stream)} comes after ${head.last}.`;
  if (revision !== head.last + 1) transaction.heads.set(stream, { ...head, last: revision - 1 });
  writeEvents(transaction, stream, [event]);
  return undefined;
};

const put = (transaction: Transaction, logged: LoggedLine): Complaint => {
  const { line, event } = logged;
  if (isEnded(transaction.heads, event.stream)) return `Line ${line}: ${shown(event.stream)} has ended before.`;
  // Times are kept in milliseconds here.
  const then: Transaction = { ...transaction, now: Date.parse(event.created) };
  const complaint = isTombstone(logged) ? void writeTombstone(then, event.stream, event) : putEvent(then, logged);
  transaction.next = then.next;
  return complaint;
};

const commit = async (writer: Writer, lines: readonly LoggedLine[]): Promise<void> => {
  const outcome = await writer.write((transaction) => {
    for (const line of lines) {
      const complaint = put(transaction, line);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  });
  if (outcome === undefined) return;
  throw new TransferError(typeof outcome === 'string' ? outcome : `The disk refuses: ${outcome.reason}.`);
};

const most = { events: 2_000, weight: 8 * 1024 * 1024 };

const fill = async (writer: Writer, log: ExportedLog, progress: (events: number) => void): Promise<number> => {
  let lines: LoggedLine[] = [];
  let weight = 0;
  let events = 0;
  for await (const line of log.events) {
    lines.push(line);
    weight += weightOf(line);
    if (lines.length < most.events && weight < most.weight) continue;
    await commit(writer, lines);
    events += lines.length;
    progress(events);
    [lines, weight] = [[], 0];
  }
  await commit(writer, lines);
  return events + lines.length;
};

/** Made beside, and given its name when it is whole: a node never serves half of a log. */
const make = async (data: string, log: ExportedLog, progress: (events: number) => void): Promise<number> => {
  const [target, beside] = [join(data, dataFile), join(data, 'importing')];
  if (existsSync(target)) throw new TransferError(`${data} holds an event log already: nothing is added to it.`);
  // Whoever left one behind is gone: this directory is locked.
  rmSync(beside, { recursive: true, force: true });
  try {
    const storage = openStorage(beside);
    const writer = startWriter(storage, () => undefined);
    const filled = fill(writer, log, progress);
    const events = await filled.finally(() => storage.tables.root.close());
    renameSync(join(beside, dataFile), target);
    flush(data);
    flush(dirname(resolve(data)));
    return events;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
};

export const importIntoDirectory = async (
  data: string,
  log: ExportedLog,
  progress: (events: number) => void,
): Promise<{ readonly events: number }> => {
  const lock = lockDirectory(data, 'node');
  if (isLeft(lock)) throw new TransferError(`Process ${lock.left} serves ${data}.`);
  try {
    return { events: await make(data, log, progress) };
  } finally {
    lock.right.release();
  }
};
