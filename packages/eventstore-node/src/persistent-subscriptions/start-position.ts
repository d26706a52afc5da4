/** Where a group begins: after its checkpoint, or at the start position of its settings. */

import { eventKey, numberOf } from '../storage/lmdb-tables';
import type { Matches } from '../storage/read-pages';
import { CorruptRecordError } from '../storage/records/read-record';
import { dataOf, isIntact } from '../storage/records/record-format';
import type { Storage } from '../storage/storage';
import { firstVisibleRevision, isMissing, isTombstoned } from '../storage/streams/stream-heads';
import { createPinningKey } from './group/pinned-strategy';
import { type GroupDefinition, groupKeyOf, sourceKindOf } from './group-configuration';
import type { GroupStart } from './group-runner';
import { createAllSource, createStreamSource, type PageSource } from './page-reader';
import { parsePosition } from './settings';
import { checkpointStream, parkedStream } from './system-streams';

const configuredStart = ({ settings: { startFrom }, startedAfter }: GroupDefinition, source: PageSource): number => {
  if (startFrom === 'start') return 0;
  if (startFrom !== 'end') return startFrom;
  // A configuration that was imported lacks the position of the end.
  return (startedAfter ?? source.last() ?? -1) + 1;
};

export const resolveGroupStart = (storage: Storage, definition: GroupDefinition, matches: Matches): GroupStart => {
  const key = groupKeyOf(definition);
  const { settings, stream } = definition;
  const pinOf = createPinningKey(storage, settings);
  const target = sourceKindOf(definition);
  const source =
    target === 'all'
      ? createAllSource(storage, matches, pinOf)
      : createStreamSource(storage, Buffer.from(stream), pinOf);
  const checkpoint = parsePosition(target, readLatestEvent(storage, checkpointStream(key)));
  const next = checkpoint === undefined ? configuredStart(definition, source) : checkpoint + 1;
  // The links in the parked stream lead to the parked events.
  const parkedSource = createStreamSource(
    storage,
    parkedStream(key),
    createPinningKey(storage, { ...settings, resolveLinks: true }),
  );
  return { definition, source, parkedSource, checkpoint, next };
};

/** Undefined when there is none; throws when it is corrupt. */
export const readLatestEvent = ({ tables, heads }: Storage, stream: Buffer): unknown => {
  const head = heads.get(stream);
  if (head === undefined || isMissing(head) || isTombstoned(heads, stream)) return undefined;
  if (head.last < firstVisibleRevision(stream, head)) return undefined;
  const position = tables.events.get(eventKey(head.number, head.last));
  const record = position === undefined ? undefined : tables.log.get(position);
  if (position === undefined || record === undefined) return undefined;
  if (!isIntact(record)) throw new CorruptRecordError(numberOf(position));
  return JSON.parse(dataOf(record).toString('utf8'));
};
