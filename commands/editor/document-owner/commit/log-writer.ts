/**
 * Appends events and retries until the outcome is known. A retry sends the same event ids at the same expected
 * revision, so the log stores them at most once. A different event at that revision means that another process took
 * ownership.
 */

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, isRight } from 'fp-ts/Either';
import { type OperationLogEvent, operationLog } from '../../../../domain/editor/operation-log/events';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { Instant } from '../../../../domain/kernel/codec';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { Expected, NewEvent } from '../../../../infra/ports/event-store';
import { derivedId } from '../../../kernel/deterministic-ids';
import { type Actor, metadataOf } from '../../../kernel/handle-request';
import type { OwnerDeps } from '../dependencies';
import type { DocumentParts } from '../document-parts';
import type { ClientBatch } from './append-builder';

export interface AppendRequest {
  readonly stream: string;
  /** Expected revision; -1 for an empty stream. */
  readonly after: number;
  readonly events: readonly NewEvent[];
}

export type AppendOutcome =
  | { readonly kind: 'written'; readonly revision: number }
  /** Another owner appended at this revision. */
  | { readonly kind: 'fenced' }
  /** The outcome could not be read in time, or the log refused the events. */
  | { readonly kind: 'unknown'; readonly refused: boolean };

const maxPauseMilliseconds = 1_000;

/** Reads the events at the expected position; undefined if they cannot be read, or if there are none. */
const readOutcome = async (
  { store }: Pick<OwnerDeps, 'store'>,
  { stream, after, events }: AppendRequest,
): Promise<AppendOutcome | undefined> => {
  const stored = await store.read(stream, after + 1);
  if (isLeft(stored)) return undefined;
  const [first] = stored.right;
  if (first === undefined) return undefined;
  if (first.id !== events[0]?.id) return { kind: 'fenced' };
  return { kind: 'written', revision: stored.right[events.length - 1]?.revision ?? first.revision };
};

type Deps = Pick<OwnerDeps, 'store' | 'settings'>;

const attempt = async (deps: Deps, request: AppendRequest, isFirst: boolean): Promise<AppendOutcome | undefined> => {
  const expected: Expected = request.after < 0 ? 'no-stream' : request.after;
  const appended = await deps.store.append(request.stream, expected, request.events);
  if (isRight(appended)) return { kind: 'written', revision: appended.right.revision };
  if (appended.left.kind === 'wrong-revision') {
    // At the first attempt, no event at this revision can be ours.
    return isFirst ? { kind: 'fenced' } : readOutcome(deps, request);
  }
  if (appended.left.code === 'event-refused') return { kind: 'unknown', refused: true };
  return readOutcome(deps, request);
};

export const appendWithRetry = async (deps: Deps, request: AppendRequest): Promise<AppendOutcome> => {
  const until = performance.now() + deps.settings.append.retryMilliseconds;
  let pause = deps.settings.append.pauseMilliseconds;
  for (let isFirst = true; ; isFirst = false) {
    const end = await attempt(deps, request, isFirst);
    if (end !== undefined) return end;
    if (performance.now() + pause > until) return { kind: 'unknown', refused: false };
    await sleep(pause);
    pause = Math.min(pause * 2, maxPauseMilliseconds);
  }
};

export const batchEvent = (
  { documentKey, stream, epoch }: Pick<DocumentParts, 'documentKey' | 'stream' | 'epoch'>,
  { batch, fromVersion, operations, serialized, lastClientSeq }: ClientBatch,
  at: Instant,
): NewEvent => {
  const { clientId, principalId, actor = principalId, correlationId } = batch.submission;
  const toVersion = fromVersion + operations.length - 1;
  const { documentId, tenant } = documentKey;
  const data = { documentId, epoch, fromVersion, toVersion, clientId, lastClientSeq, operations };
  const firstSeq = operations[0]?.clientSeq ?? lastClientSeq;
  const commandId = derivedId(stream, clientId, firstSeq, lastClientSeq);
  const context = { stream, tenant, actor, commandId, correlationId, at };
  return toNewEvent({ type: 'OperationsCommitted', data }, context, `${epoch} ${fromVersion} ${serialized.join()}`);
};

export const snapshotEvent = (
  { documentKey, stream, epoch }: Pick<DocumentParts, 'documentKey' | 'stream' | 'epoch'>,
  snapshot: Snapshot,
  at: Instant,
): NewEvent => {
  const commandId = derivedId(stream, epoch, 'snapshot', snapshot.version, snapshot.checksum);
  const context = { stream, tenant: documentKey.tenant, actor: systemActor, commandId, at };
  return toNewEvent({ type: 'SnapshotTaken', data: { epoch, snapshot } }, context, snapshot.checksum);
};

export interface EventContext {
  readonly stream: string;
  readonly tenant: TenantId;
  readonly actor: Actor;
  readonly commandId: string;
  readonly correlationId?: string | undefined;
  readonly at: Instant;
}

/** Actor of the owner's own events, as opposed to those of callers. */
export const systemActor = 'system:editor';

/**
 * `content` distinguishes events of the same command: an event that was not written must not share its id with a
 * later one.
 */
export const toNewEvent = (event: OperationLogEvent, context: EventContext, content: string): NewEvent => {
  const { stream, commandId, correlationId, tenant, actor, at } = context;
  const contentHash = hash('sha256', content, 'hex');
  const request = { stream, command: null, commandId, tenant, actor, correlationId: correlationId ?? commandId };
  return {
    id: derivedId(stream, commandId, contentHash, event.type),
    ...operationLog.encode(event),
    metadata: metadataOf(request, contentHash, at),
  };
};
