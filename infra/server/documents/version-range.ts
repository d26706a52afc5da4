/** The versions of an event of the operation log. Does not decode the operations, of which an event may have hundreds. */
import { isLeft } from 'fp-ts/Either';
import { type OperationLogEvent, operationLog, snapshotOfEvent } from '../../../domain/editor/operation-log/events';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import type { StoredEvent } from '../../ports/event-store';

export interface VersionRange {
  readonly revision: number;
  /** One more than the version before it. */
  readonly fromVersion: number;
  /** The version after it. */
  readonly toVersion: number;
}

type CommittedBatch = Extract<OperationLogEvent, { type: 'OperationsCommitted' }>['data'];

const batches = new Set(operationLog.storedTypes.filter((type) => type.startsWith('editor.OperationsCommitted.')));

const unreadable = ({ stream, revision, type }: StoredEvent): Error =>
  new Error(`${stream} cannot be decoded at revision ${revision} (${type})`);

const numberIn = (stored: StoredEvent, name: keyof CommittedBatch): number => {
  const { data } = stored;
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unreadable(stored);
  return value;
};

/** An event that cannot be decoded is a defect: a scene made without it would lack its operations. */
export const decodeLogEvent = (stored: StoredEvent): OperationLogEvent => {
  const event = operationLog.decode(stored.type, stored.data);
  if (isLeft(event)) throw unreadable(stored);
  return event.right;
};

/** Undefined where the event is no batch. */
export const versionRangeOfBatch = (stored: StoredEvent): VersionRange | undefined => {
  if (!batches.has(stored.type)) return undefined;
  const { revision } = stored;
  return { revision, fromVersion: numberIn(stored, 'fromVersion'), toVersion: numberIn(stored, 'toVersion') };
};

/** A recorded snapshot has no version range: more may have been committed while it was made. */
export const snapshotRecordedIn = (stored: StoredEvent): Snapshot | undefined =>
  batches.has(stored.type) ? undefined : snapshotOfEvent(decodeLogEvent(stored));

/** Undefined where the event does not change the version. */
export const versionRangeOf = (stored: StoredEvent): VersionRange | undefined => {
  const batch = versionRangeOfBatch(stored);
  if (batch !== undefined) return batch;
  const event = decodeLogEvent(stored);
  if (event.type !== 'ContentCopied') return undefined;
  const { version } = event.data.snapshot;
  return { revision: stored.revision, fromVersion: version + 1, toVersion: version };
};
