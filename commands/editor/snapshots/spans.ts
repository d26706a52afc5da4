/** What events of a log say of versions. Operations are not looked at: there may be hundreds of them in each. */
import { isLeft } from 'fp-ts/Either';
import { type LogEvent, log, snapshotIn } from '../../../domain/editor/log/events';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { StoredEvent } from '../../../infra/ports/event-store';

export interface Span {
  readonly revision: number;
  /** One more than the version before it. */
  readonly fromVersion: number;
  /** The version after it. */
  readonly toVersion: number;
}

export type Committed = Extract<LogEvent, { type: 'OperationsCommitted' }>['data'];

const batches = new Set(log.storedTypes.filter((type) => type.startsWith('editor.OperationsCommitted.')));

const unreadable = ({ stream, revision, type }: StoredEvent): Error =>
  new Error(`${stream} cannot be decoded at revision ${revision} (${type})`);

const numberIn = (stored: StoredEvent, name: keyof Committed): number => {
  const { data } = stored;
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unreadable(stored);
  return value;
};

/** A fact that cannot be read is a defect: what was left out would be missing in what is made of it. */
export const decodedEvent = (stored: StoredEvent): LogEvent => {
  const event = log.decode(stored.type, stored.data);
  if (isLeft(event)) throw unreadable(stored);
  return event.right;
};

/** Undefined: no batch. */
export const batchSpan = (stored: StoredEvent): Span | undefined => {
  if (!batches.has(stored.type)) return undefined;
  const { revision } = stored;
  return { revision, fromVersion: numberIn(stored, 'fromVersion'), toVersion: numberIn(stored, 'toVersion') };
};

/** Of a snapshot's own record; nothing says how much was committed while it was made, so it is no span. */
export const snapshotOf = (stored: StoredEvent): Snapshot | undefined =>
  batches.has(stored.type) ? undefined : snapshotIn(decodedEvent(stored));

/** Undefined where an event moves no version on. */
export const spanOf = (stored: StoredEvent): Span | undefined => {
  const batch = batchSpan(stored);
  if (batch !== undefined) return batch;
  const event = decodedEvent(stored);
  if (event.type !== 'ContentCopied') return undefined;
  const { version } = event.data.snapshot;
  return { revision: stored.revision, fromVersion: version + 1, toVersion: version };
};
