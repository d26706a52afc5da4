/** The operations of clients, with the outcomes that the clients know. */
import { randomUUID } from 'node:crypto';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { status } from '@grpc/grpc-js';
import { batchOf } from '../../../contracts/eventstore-node/protocol/append/batch-calls';
import {
  append,
  type BatchCall,
  type Failed,
  openBatch,
  softDelete,
  tombstone,
} from '../../../contracts/eventstore-node/protocol/harness/raw-calls';
import { isFailed } from '../../../contracts/eventstore-node/protocol/harness/replies';
import {
  type Expected,
  type Proposed,
  textId,
} from '../../../contracts/eventstore-node/protocol/harness/stream-requests';

/** The position of the last event written; `gone` when no answer came. */
export type Outcome = bigint | 'refused' | 'gone';

export interface Operation {
  readonly kind: 'append' | 'delete' | 'tombstone';
  readonly stream: string;
  readonly expected: Expected;
  /** None but an append's. */
  readonly events: readonly Proposed[];
  outcome: Outcome;
}

export interface Connection {
  readonly client: StreamsClient;
  /** When the appends go over it. */
  readonly batch: BatchCall | undefined;
}

export const overAppend = (client: StreamsClient): Connection => ({ client, batch: undefined });
export const overBatch = (client: StreamsClient): Connection => ({ client, batch: openBatch(client) });

const transportCodes: readonly number[] = [status.UNAVAILABLE, status.INTERNAL, status.CANCELLED, status.UNKNOWN];

const outcomeOfFailure = (failed: Failed): Outcome => {
  if (failed.trailers.exception !== undefined) return 'refused';
  if (transportCodes.includes(failed.code)) return 'gone';
  throw new Error(`refused with ${failed.code}: ${failed.details}`);
};

type Position = { getCommitPosition(): string } | undefined;

const outcomeOf = (answer: Failed | { getPosition(): Position }): Outcome => {
  if (isFailed(answer)) return outcomeOfFailure(answer);
  const position = answer.getPosition();
  return position === undefined ? 'refused' : BigInt(position.getCommitPosition());
};

const batchOutcome = async (batch: BatchCall, { stream, expected, events }: Operation): Promise<Outcome> => {
  batch.send(batchOf(stream, expected, { events, correlationId: textId(randomUUID()) }));
  const reply = await batch.next().catch(() => undefined);
  if (reply === undefined) return 'gone';
  if (reply.hasError()) return 'refused';
  return BigInt(reply.getSuccess()?.getPosition()?.getCommitPosition() ?? -1);
};

const appendOutcome = async (client: StreamsClient, operation: Operation): Promise<Outcome> => {
  const answer = await append(client, operation);
  if (isFailed(answer)) return outcomeOfFailure(answer);
  const success = answer.getSuccess();
  return success === undefined ? 'refused' : outcomeOf(success);
};

/** Sends it, and writes down what came of it. */
export const performOperation = async ({ client, batch }: Connection, operation: Operation): Promise<Outcome> => {
  const { kind, stream, expected } = operation;
  if (kind === 'delete') operation.outcome = outcomeOf(await softDelete(client, stream, expected));
  else if (kind === 'tombstone') operation.outcome = outcomeOf(await tombstone(client, stream, expected));
  else if (batch !== undefined) operation.outcome = await batchOutcome(batch, operation);
  else operation.outcome = await appendOutcome(client, operation);
  return operation.outcome;
};
