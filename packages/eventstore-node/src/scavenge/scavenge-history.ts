/** Records scavenges in the log like EventStoreDB: a stream per scavenge, and links to all events in `$scavenges`. */
import { randomUUID } from 'node:crypto';
import { readUnfinishedScavenge, type UnfinishedScavenge, writeUnfinishedScavenge } from '../storage/scavenge-state';
import { isTombstoned, metadataStreamOf } from '../storage/streams/stream-heads';
import { writeEvents } from '../storage/write-events';
import type { Transaction, Write } from '../storage/writer';

/** Retention of the history: thirty days in seconds. */
const historyAge = 2_592_000;
const historyMetadata = `{"$maxAge":${historyAge},"$acl":{"$r":"$ops","$w":[],"$d":[],"$mr":[],"$mw":[]}}`;

const scavengesStream = Buffer.from('$scavenges');
export const streamOfScavenge = (scavengeId: string): string => `$scavenges-${scavengeId}`;

const noBytes = Buffer.alloc(0);
/** Returns the revision; undefined if the stream is tombstoned. */
const write = (transaction: Transaction, stream: Buffer, type: string, text: string): number | undefined => {
  if (isTombstoned(transaction.heads, stream)) return undefined;
  const event = { id: randomUUID(), type, json: type !== '$>', data: Buffer.from(text), metadata: noBytes };
  const written = writeEvents(transaction, stream, [event]);
  return written.kind === 'appended' ? written.revision : undefined;
};

/** Writes the event and its link. */
const writeDetail = (transaction: Transaction, stream: Buffer, type: string, data: object): void => {
  const revision = write(transaction, stream, type, JSON.stringify(data));
  if (revision !== undefined) write(transaction, scavengesStream, '$>', `${revision}@${stream.toString('utf8')}`);
};

const writeHistoryMetadata = (transaction: Transaction, stream: Buffer): void => {
  const metadataStream = metadataStreamOf(stream);
  if (transaction.heads.get(metadataStream) === undefined)
    write(transaction, metadataStream, '$metadata', historyMetadata);
};

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** Formats like .NET's `TimeSpan`. */
export const formatTimeSpan = (milliseconds: number): string => {
  const ticks = Math.max(0, Math.round(milliseconds * 10_000));
  const seconds = Math.floor(ticks / 10_000_000);
  const days = Math.floor(seconds / 86_400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  const fraction = ticks % 10_000_000;
  return `${days > 0 ? `${days}.` : ''}${clock.map((part) => padded(part, 2)).join(':')}${
    fraction > 0 ? `.${padded(fraction, 7)}` : ''
  }`;
};

export interface ScavengeResult {
  readonly result: 'Success' | 'Stopped' | 'Errored' | 'Interrupted';
  readonly error: string | null;
  readonly timeTaken: string;
  /** Bytes of removed records, whose pages are reused. */
  readonly spaceSaved: number;
  readonly eventsRemoved: number;
}

export interface CompletedScavenge extends ScavengeResult {
  readonly scavengeId: string;
  readonly nodeEndpoint: string;
}

export const writeCompleted =
  ({ scavengeId, nodeEndpoint }: UnfinishedScavenge, ended: ScavengeResult): Write<CompletedScavenge> =>
  (transaction) => {
    const completed: CompletedScavenge = { scavengeId, nodeEndpoint, ...ended };
    writeDetail(transaction, Buffer.from(streamOfScavenge(scavengeId)), '$scavengeCompleted', completed);
    writeUnfinishedScavenge(transaction.tables, undefined);
    return completed;
  };

/** Completes a scavenge whose node ended, or whose completion could not be written. */
export const writeInterrupted: Write<void> = (transaction) => {
  const unfinished = readUnfinishedScavenge(transaction.tables);
  if (unfinished === undefined) return;
  const ended: ScavengeResult = {
    result: 'Interrupted',
    error: 'Its end was not recorded.',
    timeTaken: formatTimeSpan(transaction.now - unfinished.started),
    spaceSaved: 0,
    eventsRemoved: 0,
  };
  writeCompleted(unfinished, ended)(transaction);
};

export const writeStarted =
  (scavenge: UnfinishedScavenge): Write<void> =>
  (transaction) => {
    const { scavengeId, nodeEndpoint } = scavenge;
    const stream = Buffer.from(streamOfScavenge(scavengeId));
    writeInterrupted(transaction);
    writeHistoryMetadata(transaction, scavengesStream);
    writeHistoryMetadata(transaction, stream);
    writeDetail(transaction, stream, '$scavengeStarted', { scavengeId, nodeEndpoint });
    writeUnfinishedScavenge(transaction.tables, scavenge);
  };
