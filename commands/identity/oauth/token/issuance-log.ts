/**
 * Records issued tokens before they are returned. Requests that arrive during an append share the next one, so many requests cost the disk
 * as much as one.
 */
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type IssuanceEvent, issuance, issuanceStream } from '../../../../domain/identity/issuance/events';
import type { Instant } from '../../../../domain/kernel/codec';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { EventMetadata } from '../../../../domain/kernel/metadata';
import type { EventStore, NewEvent } from '../../../../infra/ports/event-store';

export interface IssuanceContext {
  readonly tenantId: TenantId;
  readonly at: Instant;
  readonly requestId: string;
}

/** Left: the append's outcome is unknown, so the token must not be returned. */
export type RecordResult = Either<string, void>;

export interface IssuanceLog {
  readonly record: (event: IssuanceEvent, occasion: IssuanceContext) => Promise<RecordResult>;
}

const actingDelegation = ({ delegation }: IssuanceEvent['data']) => {
  if (delegation === null) return {};
  const { onBehalfOf, delegationId, taskId } = delegation;
  return { onBehalfOf, delegationId, taskId };
};

const metadataOf = ({ data }: IssuanceEvent, { tenantId, at, requestId }: IssuanceContext): EventMetadata => ({
  $correlationId: requestId,
  $causationId: requestId,
  commandId: data.jti,
  commandHash: hash('sha256', JSON.stringify([data.principalId, data.audience, data.scopes]), 'hex'),
  tenant: tenantId,
  actor: data.principalId,
  at,
  ...actingDelegation(data),
});

const appendBatch = async (store: EventStore, stream: string, events: readonly NewEvent[]): Promise<RecordResult> => {
  const appended = await store.append(stream, 'any', events);
  if (!isLeft(appended)) return right(undefined);
  const { left: failure } = appended;
  const isVault = failure.kind === 'fault' && failure.code === 'vault-unavailable';
  return left(isVault ? failure.detail : 'The log is unavailable.');
};

/** Keeps a batch below the log's limit of 512 kB; an event has at most 2 kB. */
const maxBatchSize = 200;

interface QueuedIssuance {
  readonly event: NewEvent;
  readonly answer: (recorded: RecordResult) => void;
  /** Reports a defect to each waiting request. */
  readonly fail: (defect: unknown) => void;
}

const writeBatch = async (store: EventStore, stream: string, batch: readonly QueuedIssuance[]): Promise<void> => {
  const events = batch.map(({ event }) => event);
  try {
    const recorded = await appendBatch(store, stream, events);
    for (const { answer } of batch) answer(recorded);
  } catch (defect) {
    for (const { fail } of batch) fail(defect);
  }
};

export const openIssuanceLog = (store: EventStore): IssuanceLog => {
  const waiting = new Map<string, QueuedIssuance[]>();
  const writeAll = async (stream: string, queue: QueuedIssuance[]): Promise<void> => {
    while (queue.length > 0) await writeBatch(store, stream, queue.splice(0, maxBatchSize));
    waiting.delete(stream);
  };
  const enqueue = (stream: string, entry: QueuedIssuance): void => {
    const queue = waiting.get(stream);
    if (queue !== undefined) return void queue.push(entry);
    const begun = [entry];
    waiting.set(stream, begun);
    void writeAll(stream, begun);
  };
  return {
    record: (event, occasion) =>
      new Promise((answer, fail) => {
        const stored = { id: event.data.jti, ...issuance.encode(event), metadata: metadataOf(event, occasion) };
        enqueue(issuanceStream(occasion.tenantId, occasion.at), { event: stored, answer, fail });
      }),
  };
};

/** The gateway overwrites the header; its last entry is the client address. */
export const sourceIpOf = (forwardedFor: string | undefined): string | null => {
  const address = forwardedFor?.split(',').at(-1)?.trim() ?? '';
  return isIP(address) === 0 ? null : address;
};
