/** What a scavenge says of itself in the log, as a real node does: a stream for each, and links to all in `$scavenges`. */
import { randomUUID } from 'node:crypto';
import { isEnded, metadataStreamOf } from '../storage/heads';
import { setUnfinished, type Unfinished, unfinishedIn } from '../storage/marks';
import { writeEvents } from '../storage/write';
import type { Transaction, Write } from '../storage/writer';

/** Seconds that the history is kept: thirty days. */
const historyAge = 2_592_000;
const historyMetadata = `{"$maxAge":${historyAge},"$acl":{"$r":"$ops","$w":[],"$d":[],"$mr":[],"$mw":[]}}`;

const scavengesStream = Buffer.from('$scavenges');
export const streamOfScavenge = (scavengeId: string): string => `$scavenges-${scavengeId}`;

const noBytes = Buffer.alloc(0);
/** Answers the revision; undefined when somebody has ended the stream, which takes nothing more. */
const write = (transaction: Transaction, stream: Buffer, type: string, text: string): number | undefined => {
  if (isEnded(transaction.heads, stream)) return undefined;
  const event = { id: randomUUID(), type, json: type !== '$>', data: Buffer.from(text), metadata: noBytes };
  const written = writeEvents(transaction, stream, [event]);
  return written.kind === 'appended' ? written.revision : undefined;
};

/** With a link to it. */
const writeDetail = (transaction: Transaction, stream: Buffer, type: string, data: object): void => {
  const revision = write(transaction, stream, type, JSON.stringify(data));
  if (revision !== undefined) write(transaction, scavengesStream, '$>', `${revision}@${stream.toString('utf8')}`);
};

const keepForAWhile = (transaction: Transaction, stream: Buffer): void => {
  const metadataStream = metadataStreamOf(stream);
  if (transaction.heads.get(metadataStream) === undefined)
    write(transaction, metadataStream, '$metadata', historyMetadata);
};

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** As .NET writes a `TimeSpan`. */
export const timeSpan = (milliseconds: number): string => {
  const ticks = Math.max(0, Math.round(milliseconds * 10_000));
  const seconds = Math.floor(ticks / 10_000_000);
  const days = Math.floor(seconds / 86_400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  const fraction = ticks % 10_000_000;
  return `${days > 0 ? `${days}.` : ''}${clock.map((part) => padded(part, 2)).join(':')}${
    fraction > 0 ? `.${padded(fraction, 7)}` : ''
  }`;
};

export interface Ended {
  readonly result: 'Success' | 'Stopped' | 'Errored' | 'Interrupted';
  readonly error: string | null;
  readonly timeTaken: string;
  /** Bytes of removed records; the file's pages that held them are used again. */
  readonly spaceSaved: number;
  readonly eventsRemoved: number;
}

export interface Completed extends Ended {
  readonly scavengeId: string;
  readonly nodeEndpoint: string;
}

export const writeCompleted =
  ({ scavengeId, nodeEndpoint }: Unfinished, ended: Ended): Write<Completed> =>
  (transaction) => {
    const completed: Completed = { scavengeId, nodeEndpoint, ...ended };
    writeDetail(transaction, Buffer.from(streamOfScavenge(scavengeId)), '$scavengeCompleted', completed);
    setUnfinished(transaction.tables, undefined);
    return completed;
  };

/** A scavenge that was running when its node ended, or whose end the disk refused, is completed by nobody else. */
export const writeInterrupted: Write<void> = (transaction) => {
  const unfinished = unfinishedIn(transaction.tables);
  if (unfinished === undefined) return;
  const ended: Ended = {
    result: 'Interrupted',
    error: 'Its end was not recorded.',
    timeTaken: timeSpan(transaction.now - unfinished.started),
    spaceSaved: 0,
    eventsRemoved: 0,
  };
  writeCompleted(unfinished, ended)(transaction);
};

export const writeStarted =
  (scavenge: Unfinished): Write<void> =>
  (transaction) => {
    const { scavengeId, nodeEndpoint } = scavenge;
    const stream = Buffer.from(streamOfScavenge(scavengeId));
    writeInterrupted(transaction);
    keepForAWhile(transaction, scavengesStream);
    keepForAWhile(transaction, stream);
    writeDetail(transaction, stream, '$scavengeStarted', { scavengeId, nodeEndpoint });
    setUnfinished(transaction.tables, scavenge);
  };
