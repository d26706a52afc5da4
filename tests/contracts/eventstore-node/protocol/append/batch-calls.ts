/** One batch append and its answer. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { openBatch } from '../harness/raw-calls';
import { type BatchPart, batchRequest, type Expected, several, textId } from '../harness/stream-requests';

export const nameIn = (reply: BatchAppendResp): string =>
  Buffer.from(reply.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();

export const errorOf = (reply: BatchAppendResp) => {
  const error = reply.getError();
  assert.ok(error !== undefined, `not refused: ${JSON.stringify(reply.toObject())}`);
  const details = error.getDetails();
  return {
    code: Number(error.getCode()),
    message: error.getMessage(),
    type: details?.getTypeUrl(),
    bytes: details?.getValue_asU8(),
  };
};

/** One call with one request. */
export const batchOnce = async (client: StreamsClient, request: BatchAppendReq): Promise<BatchAppendResp> => {
  const call = openBatch(client);
  call.send(request);
  const reply = await call.next();
  await call.end();
  return reply;
};

export const batchOf = (stream: string, expected: Expected, more: Partial<BatchPart> = {}): BatchAppendReq =>
  batchRequest({ correlationId: textId(randomUUID()), events: several(2), target: { stream, expected }, ...more });
