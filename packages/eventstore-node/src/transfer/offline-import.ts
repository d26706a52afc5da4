/**
 * Imports an exported log into a directory that holds none, without a server: revisions, ids and times stay the same.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { syncPath } from '../../../data-directory/src/files';
import { describeProcess, lockDirectory } from '../../../data-directory/src/index';
import { logFileOf } from '../storage/lmdb-tables';
import { addRemovedEvents } from '../storage/scavenge-state';
import { openStorage } from '../storage/storage';
import { isTombstoned } from '../storage/streams/stream-heads';
import { noStream, writeEvents, writeTombstone } from '../storage/write-events';
import { startWriter, type Transaction, type Writer } from '../storage/writer';
import { isTombstone, weightOf } from './event-batch';
import type { LoggedEvent } from './format/event-line';
import type { ExportedLog, LoggedLine } from './format/exported-log';
import { quoteStreamName, TransferError } from './transfer-error';

type Problem = string | undefined;

/** A stream may begin after 0, as after a scavenge, and is stored as if it had been scavenged. */
const startStreamAt = ({ tables, heads, next }: Transaction, { stream, revision }: LoggedEvent): void => {
  const head = heads.get(stream) ?? { number: next, last: noStream, tombstoned: false, retention: {} };
  heads.set(stream, { ...head, last: revision - 1 });
  addRemovedEvents(tables, { position: 0, events: revision, bytes: 0 });
};

const writeEvent = (transaction: Transaction, { line, event }: LoggedLine): Problem => {
  const { stream, revision } = event;
  const last = transaction.heads.get(stream)?.last ?? noStream;
  if (last !== noStream && revision !== last + 1)
    return `Line ${line}: revision ${revision} of ${quoteStreamName(stream)} comes after ${last}; by URL it would be renumbered.`;
  if (last === noStream && revision > 0) startStreamAt(transaction, event);
  writeEvents(transaction, stream, [event]);
  return undefined;
};

const writeLoggedEvent = (transaction: Transaction, logged: LoggedLine): Problem => {
  const { line, event } = logged;
  if (isTombstoned(transaction.heads, event.stream))
    return `Line ${line}: ${quoteStreamName(event.stream)} has ended before.`;
  // The node stores times in milliseconds.
  const then: Transaction = { ...transaction, now: Date.parse(event.created) };
  const problem = isTombstone(logged) ? void writeTombstone(then, event.stream, event) : writeEvent(then, logged);
  transaction.next = then.next;
  return problem;
};

const commitLines = async (writer: Writer, lines: readonly LoggedLine[]): Promise<void> => {
  const outcome = await writer.write((transaction) => {
    for (const line of lines) {
      const problem = writeLoggedEvent(transaction, line);
      if (problem !== undefined) return problem;
    }
    return undefined;
  });
  if (outcome === undefined) return;
  throw new TransferError(typeof outcome === 'string' ? outcome : `The disk refuses: ${outcome.reason}.`);
};

const maxPerCommit = { events: 2_000, weight: 8 * 1024 * 1024 };

const importEvents = async (writer: Writer, log: ExportedLog, progress: (events: number) => void): Promise<number> => {
  let lines: LoggedLine[] = [];
  let weight = 0;
  let events = 0;
  for await (const line of log.events) {
    lines.push(line);
    weight += weightOf(line);
    if (lines.length < maxPerCommit.events && weight < maxPerCommit.weight) continue;
    await commitLines(writer, lines);
    events += lines.length;
    progress(events);
    [lines, weight] = [[], 0];
  }
  await commitLines(writer, lines);
  return events + lines.length;
};

/** Built under a temporary name and renamed when complete: a node never serves half of a log. */
const createLog = async (data: string, log: ExportedLog, progress: (events: number) => void): Promise<number> => {
  const [target, temporary] = [logFileOf(data), join(data, 'importing')];
  if (existsSync(target)) throw new TransferError(`${data} already has an event log: nothing is added to it.`);
  // The process that left it behind is gone: this directory is locked.
  rmSync(temporary, { recursive: true, force: true });
  try {
    const storage = openStorage(temporary);
    const writer = startWriter(storage, () => undefined);
    let events: number;
    try {
      events = await importEvents(writer, log, progress);
    } finally {
      await storage.tables.root.close();
    }
    renameSync(logFileOf(temporary), target);
    syncPath(data);
    syncPath(dirname(resolve(data)));
    return events;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

export const importIntoDirectory = async (
  data: string,
  log: ExportedLog,
  progress: (events: number) => void,
): Promise<{ readonly events: number }> => {
  const lock = lockDirectory(data, 'node');
  if (isLeft(lock)) throw new TransferError(`${data} is in use by ${describeProcess(lock.left)}.`);
  try {
    return { events: await createLog(data, log, progress) };
  } finally {
    lock.right.release();
  }
};
