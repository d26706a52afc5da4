/** What must hold of a log whatever was written to it, checked as it is read on. */
import assert from 'node:assert/strict';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';

export type Recorded = ReadResp.ReadEvent.RecordedEvent;

export const streamOf = (event: Recorded): string =>
  Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
export const idOf = (event: Recorded): string => event.getId()?.getString() ?? '';
export const positionOf = (event: Recorded): bigint => BigInt(event.getCommitPosition());
export const typeOf = (event: Recorded): string => event.getMetadataMap().get('type') ?? '';

export interface Stream {
  /** The next event's revision. */
  next: number;
  hidden: boolean;
  /** Of the first event after a soft delete, until metadata has the revision from which the stream is visible. */
  reusedFrom: number | undefined;
  ended: boolean;
}

export interface Log {
  position: bigint;
  readonly streams: Map<string, Stream>;
  readonly ids: Set<string>;
}

export const emptyLog = (): Log => ({ position: 0n, streams: new Map(), ids: new Set() });

const streamIn = ({ streams }: Log, name: string): Stream => {
  const stream = streams.get(name) ?? { next: 0, hidden: false, reusedFrom: undefined, ended: false };
  streams.set(name, stream);
  return stream;
};

const hidesAll = 9223372036854775807n;

/** `$tb` as it was written, which a number could not hold. */
export const truncationIn = (event: Recorded): bigint | undefined => {
  const [, before] = /"\$tb":(\d+)/.exec(Buffer.from(event.getData_asU8()).toString()) ?? [];
  return before === undefined ? undefined : BigInt(before);
};

export const isHiding = (event: Recorded): boolean => truncationIn(event) === hidesAll;

const followMetadata = (owner: Stream, event: Recorded): void => {
  const before = truncationIn(event);
  // Written together with the append that used the stream again, never without it.
  if (before !== undefined && before !== hidesAll) assert.equal(Number(before), owner.reusedFrom);
  owner.hidden = before === hidesAll;
  owner.reusedFrom = undefined;
};

const readEvent = (log: Log, event: Recorded): void => {
  const name = streamOf(event);
  const stream = streamIn(log, name);
  assert.ok(!stream.ended, `${name} goes on after its end`);
  if (typeOf(event) === '$streamDeleted') {
    stream.ended = true;
    return;
  }
  assert.equal(Number(event.getStreamRevision()), stream.next, `revision in ${name}`);
  if (stream.hidden) stream.reusedFrom ??= stream.next;
  stream.next += 1;
  if (name.startsWith('$$')) followMetadata(streamIn(log, name.slice(2)), event);
};

/** Positions grow, revisions are dense, no id stands twice, nothing follows a tombstone, no append is half there. */
export const verifyLogFurther = (log: Log, events: readonly Recorded[]): void => {
  for (const event of events) {
    const position = positionOf(event);
    assert.ok(position > log.position, `position ${position} after ${log.position}`);
    log.position = position;
    assert.ok(!log.ids.has(idOf(event)), `${idOf(event)} is there twice`);
    log.ids.add(idOf(event));
    readEvent(log, event);
  }
  for (const [name, { hidden, reusedFrom }] of log.streams)
    assert.ok(!hidden || reusedFrom === undefined, `${name} was used again and stayed hidden`);
};
