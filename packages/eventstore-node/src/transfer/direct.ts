/** Puts an exported log into a directory that holds none, without a server: revisions, ids and times stay as they were. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { flush } from '../../../data-directory/src/files';
import { lockDirectory } from '../../../data-directory/src/index';
import { fileOf } from '../storage/database';
import { isEnded } from '../storage/heads';
import { addRemoved } from '../storage/marks';
import { openStorage } from '../storage/storage';
import { noStream, writeEvents, writeTombstone } from '../storage/write';
import { startWriter, type Transaction, type Writer } from '../storage/writer';
import { shown, TransferError } from './faults';
import { isTombstone, weightOf } from './group';
import type { LoggedEvent } from './line';
import type { ExportedLog, LoggedLine } from './read-log';

type Complaint = string | undefined;

/** A stream may begin later than at 0, as a scavenge leaves it, and is noted as if one had. */
const begin = ({ tables, heads, next }: Transaction, { stream, revision }: LoggedEvent): void => {
  const head = heads.get(stream) ?? { number: next, last: noStream, tombstoned: false, retention: {} };
  heads.set(stream, { ...head, last: revision - 1 });
  addRemoved(tables, { position: 0, events: revision, bytes: 0 });
};

const putEvent = (transaction: Transaction, { line, event }: LoggedLine): Complaint => {
  const { stream, revision } = event;
  const last = transaction.heads.get(stream)?.last ?? noStream;
  if (last !== noStream && revision !== last + 1)
    return `Line ${line}: revision ${revision} of ${shown(stream)} comes after ${last}; by URL it would be numbered anew.`;
  if (last === noStream && revision > 0) begin(transaction, event);
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
  const [target, beside] = [fileOf(data), join(data, 'importing')];
  if (existsSync(target)) throw new TransferError(`${data} holds an event log already: nothing is added to it.`);
  // Whoever left one behind is gone: this directory is locked.
  rmSync(beside, { recursive: true, force: true });
  try {
    const storage = openStorage(beside);
    const writer = startWriter(storage, () => undefined);
    let events: number;
    try {
      events = await fill(writer, log, progress);
    } finally {
      await storage.tables.root.close();
    }
    renameSync(fileOf(beside), target);
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
