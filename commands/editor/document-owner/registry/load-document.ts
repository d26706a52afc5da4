/**
 * Loads a document from its newest readable snapshot and the log after it. A document that cannot be read completely
 * is not served.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentKey } from '../../../../domain/editor/ids';
import { decodeClientTable, recordCommitted } from '../../../../domain/editor/operation-log/client-table';
import {
  logStream,
  type OperationLogEvent,
  operationLog,
  snapshotOfEvent,
} from '../../../../domain/editor/operation-log/events';
import { emptyScene } from '../../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { fault } from '../../../../domain/kernel/rejection';
import type { StoredEvent } from '../../../../infra/ports/event-store';
import { createYield } from '../../../../infra/server/documents/time-slicing';
import { replayRestore } from '../commit/restored-scene';
import type { OwnerDeps } from '../dependencies';
import { type DocumentContent, emptyContent, replayBatch } from '../document-content';
import type { OperationFrame, Unavailable } from '../document-handle';

export interface LoadedDocument {
  readonly content: DocumentContent;
  /** Operations after the snapshot. */
  readonly frames: readonly OperationFrame[];
}

const unavailable = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

/** Fills the content from a snapshot. False if it is damaged; then an earlier one is used. */
const loadFromSnapshot =
  (deps: OwnerDeps, documentKey: DocumentKey, content: DocumentContent) => async (snapshot: Snapshot) => {
    const scene = emptyScene();
    const loaded = await deps.snapshots.load(documentKey, snapshot, scene);
    if (isLeft(loaded)) {
      if (loaded.left.code !== 'snapshot-damaged') return unavailable('A snapshot cannot be read right now.');
      deps.log.error(
        { ...documentKey, key: snapshot.compressedSceneKey },
        'a snapshot is damaged; an earlier one is used',
      );
      return right(false);
    }
    Object.assign(content, { scene, clients: decodeClientTable(loaded.right), version: snapshot.version, snapshot });
    return right(true);
  };

type CommittedBatch = Extract<OperationLogEvent, { type: 'OperationsCommitted' }>['data'];

const isContiguous = ({ fromVersion, toVersion, operations }: CommittedBatch, content: DocumentContent): boolean =>
  fromVersion <= content.version + 1 && operations.length === toVersion - fromVersion + 1;

const replayEvents = async (
  deps: OwnerDeps,
  documentKey: DocumentKey,
  { content, events }: { readonly content: DocumentContent; readonly events: readonly OperationLogEvent[] },
): Promise<Either<Unavailable, readonly OperationFrame[]>> => {
  let frames: OperationFrame[] = [];
  const yieldIfDue = createYield();
  for (const { type, data } of events) {
    if (type !== 'OperationsCommitted' || data.toVersion <= content.version) continue;
    if (!isContiguous(data, content)) return unavailable('The document has a gap in its history.');
    recordCommitted(content.clients, data);
    const jump = data.operations.find((operation) => operation.type === 'restoreVersion');
    if (jump !== undefined) {
      const back = await replayRestore(deps, documentKey, { content, batch: data });
      if (isLeft(back)) return back;
      frames = [];
    } else frames.push(replayBatch(content, data));
    await yieldIfDue();
  }
  return right(frames);
};

/** A copied document has no events before its snapshot, so it cannot be loaded without it. */
const hasStart = (content: DocumentContent, events: readonly OperationLogEvent[]): boolean =>
  content.snapshot !== undefined || events[0]?.type !== 'ContentCopied';

/** Loads all events before the revision at which this owner took ownership. */
export const loadDocument = async (
  deps: OwnerDeps,
  documentKey: DocumentKey,
  before: number,
): Promise<Either<Unavailable, LoadedDocument>> => {
  const content = emptyContent();
  const stream = logStream(documentKey.tenant, documentKey.documentId);
  const isBase = loadFromSnapshot(deps, documentKey, content);
  const back = await readLogBackwards(deps, { stream, from: before - 1, isBase });
  if (isLeft(back)) return back;
  if (!hasStart(content, back.right.events)) return unavailable('The document cannot be read.');
  const frames = await replayEvents(deps, documentKey, { content, events: back.right.events });
  if (isLeft(frames)) return frames;
  content.revision = before;
  return right({ content, frames: frames.right });
};

export interface LogTail {
  /** The oldest first, with everything after the snapshot's version. */
  readonly events: readonly OperationLogEvent[];
}

const pageEvents = 500;
const pageBytes = 4_194_304;

/** Whether the snapshot can be loaded; left if that cannot be determined now. */
type IsBase = (snapshot: Snapshot) => Promise<Either<Unavailable, boolean>>;

const unreadable = ({ stream, revision, type }: StoredEvent, { log }: OwnerDeps): Either<Unavailable, never> => {
  log.error({ stream, revision, type }, 'an event of a document cannot be read');
  return left(fault('service-unavailable', 'The document cannot be read.'));
};

interface TailQuery {
  readonly stream: string;
  /** Inclusive. */
  readonly from: number;
  readonly isBase: IsBase;
}

const readPage = async ({ pages }: OwnerDeps, stream: string, from: number) => {
  const page = await pages({ stream, from, direction: 'backwards', limit: pageEvents, mostBytes: pageBytes });
  return isLeft(page) ? left(fault('service-unavailable', 'The log cannot be read right now.')) : page;
};

/** A snapshot is recorded after it is complete, so operations after its version may precede its event in the log. */
const isCoveredBy = (event: OperationLogEvent, base: Snapshot): boolean =>
  event.type === 'OperationsCommitted' && event.data.toVersion <= base.version;

const readLogBackwards = async (
  deps: OwnerDeps,
  { stream, from, isBase }: TailQuery,
): Promise<Either<Unavailable, LogTail>> => {
  const backwards: OperationLogEvent[] = [];
  const yieldIfDue = createYield();
  let base: Snapshot | undefined;
  for (let next = from; next >= 0; ) {
    const page = await readPage(deps, stream, next);
    if (isLeft(page)) return page;
    for (const stored of page.right.events) {
      const event = operationLog.decode(stored.type, stored.data);
      if (isLeft(event)) return unreadable(stored, deps);
      if (base !== undefined && isCoveredBy(event.right, base)) return right({ events: backwards.reverse() });
      const snapshot = base === undefined ? snapshotOfEvent(event.right) : undefined;
      const found = snapshot === undefined ? right(false) : await isBase(snapshot);
      if (isLeft(found)) return found;
      if (found.right) base = snapshot;
      backwards.push(event.right);
      next = stored.revision - 1;
      await yieldIfDue();
    }
    if (page.right.events.length === 0) break;
  }
  return right({ events: backwards.reverse() });
};
