/**
 * One append of an owner, until it is known what became of it. It is only ever said again as it was, at the same revision: then the log
 * takes it once or not at all, and whatever else stands at that revision is another owner's.
 */

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, isRight } from 'fp-ts/Either';
import { type OperationLogEvent, operationLog } from '../../../../domain/editor/operation-log/events';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { Instant } from '../../../../domain/kernel/codec';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { Expected, NewEvent } from '../../../../infra/ports/event-store';
import { derivedId } from '../../../kernel/derive';
import { metadataOf } from '../../../kernel/request';
import type { OwnerDeps } from '../dependencies';
import type { OwnedDocument } from '../owned-document';
import type { ClientBatch } from './append-builder';

export interface AppendRequest {
  readonly stream: string;
  /** -1: there is nothing in it yet. */
  readonly after: number;
  readonly events: readonly NewEvent[];
}

export type AppendOutcome =
  | { readonly kind: 'written'; readonly revision: number }
  /** Another owner wrote there. */
  | { readonly kind: 'fenced' }
  /** It could not be told in time, or the log refuses it: whoever reads later will see. */
  | { readonly kind: 'unknown'; readonly refused: boolean };

const maxPauseMilliseconds = 1_000;

/** What stands where these were to go: undefined when that cannot be read, or nothing does. */
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
    // The first time nothing of ours can be there.
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

/** The events of an append. */

export const batchEvent = (
  { documentKey, stream, epoch }: OwnedDocument,
  { batch, fromVersion, operations, serialized, lastClientSeq }: ClientBatch,
  at: Instant,
): NewEvent => {
  const { clientId, principalId, correlationId } = batch.submission;
  const toVersion = fromVersion + operations.length - 1;
  const { documentId, tenant } = documentKey;
  const data = { documentId, epoch, fromVersion, toVersion, clientId, lastClientSeq, operations };
  const firstSeq = operations[0]?.clientSeq ?? lastClientSeq;
  const commandId = derivedId(stream, clientId, firstSeq, lastClientSeq);
  const context = { stream, tenant, actor: principalId, commandId, correlationId, at };
  return toNewEvent({ type: 'OperationsCommitted', data }, context, `${epoch} ${fromVersion} ${serialized.join()}`);
};

export const snapshotEvent = (
  { documentKey, stream, epoch }: OwnedDocument,
  snapshot: Snapshot,
  at: Instant,
): NewEvent => {
  const commandId = derivedId(stream, epoch, 'snapshot', snapshot.version, snapshot.checksum);
  const context = { stream, tenant: documentKey.tenant, actor: systemActor, commandId, at };
  return toNewEvent({ type: 'SnapshotTaken', data: { epoch, snapshot } }, context, snapshot.checksum);
};

/** What owners append, made ready for the log. */

export interface EventContext {
  readonly stream: string;
  readonly tenant: TenantId;
  readonly actor: string;
  readonly commandId: string;
  readonly correlationId?: string | undefined;
  readonly at: Instant;
}

/** The owner's own doing, not its callers'. */
export const systemActor = 'system:editor';

/** `content` is what tells it from another event under the same command id: the id of one that was not written must not be taken again. */
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
