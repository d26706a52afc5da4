/** BatchAppend calls: requests are read as fast as their answers are sent. */

import { UUID } from '@eventstore/db-client/generated/shared_pb';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { append } from '../../storage/append';
import type { NewRecord } from '../../storage/records/record-format';
import type { AppendOutcome, ExpectedRevision } from '../../storage/write-events';
import type { WriteRefused } from '../../storage/writer';
import { type CallContext, createFail, type Node } from '../call-context';
import { CallError, maxAppendBytes } from '../errors';
import { createMessageOutput } from '../response-stream';
import {
  type AppendIdentity,
  accessDenied,
  badRequest,
  type Failure,
  failureReply,
  streamDeleted,
  successReply,
  timedOut,
  tooLarge,
  tooManyPending,
  writeFailed,
  wrongVersion,
} from './batch-append-replies';
import {
  decodeExpectedForms,
  decodeProposedEvent,
  decodeStreamName,
  maxRecordBytes,
  uuidText,
  weightOf,
} from './proposed-events';

type BatchCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
type Fail = (error: unknown) => void;

const maxUnanswered = 512;
const maxUnansweredBytes = 16 * 1024 * 1024;

const bytesIn = (request: BatchAppendReq): number =>
  request
    .getProposedMessagesList()
    .reduce((sum, event) => sum + event.getData_asU8().length + event.getCustomMetadata_asU8().length, 0);

/** Serves the call; returns how to end it with a status once what was received is answered. */
const serveBatchAppend = (call: BatchCall, calling: CallContext, fail: Fail): Fail => {
  let unanswered = 0;
  let bytes = 0;
  let end: (() => void) | undefined;
  const output = createMessageOutput(call, () => flow());
  const handler = handleBatchAppend(calling, (reply) => {
    if (!call.destroyed && !call.cancelled) output.write(Buffer.from(reply.serializeBinary()));
  });
  /** Requests that were received are answered first: their events may be written already. */
  const endWhenAnswered = (ending: () => void): void => {
    end ??= ending;
    handler.close();
    if (unanswered === 0) end();
  };
  // Requests wait in the client's flow-control window instead of in memory, also those of a client that reads no
  // answers.
  const flow = (): void => {
    const full = unanswered >= maxUnanswered || bytes >= maxUnansweredBytes || !output.hasRoom();
    if (full || end !== undefined) call.pause();
    else if (call.isPaused()) call.resume();
  };
  call.on('data', (request: BatchAppendReq) => {
    const size = bytesIn(request);
    unanswered += 1;
    bytes += size;
    const answered = (): void => {
      unanswered -= 1;
      bytes -= size;
      flow();
      if (unanswered === 0) end?.();
    };
    flow();
    handler.receive(request).catch(fail).finally(answered);
  });
  call.once('end', () => endWhenAnswered(() => call.end()));
  call.once('cancelled', handler.close);
  call.on('error', handler.close);
  return (error) => {
    call.pause();
    endWhenAnswered(() => fail(error));
  };
};

export const batchAppend =
  (node: Node) =>
  (call: BatchCall): void => {
    const fail = createFail(node, call);
    let stop: Fail = fail;
    const close = (error: unknown): void => stop(error);
    const over = (): void => void node.openCalls.delete(close);
    node.openCalls.add(close);
    call.once('finish', over);
    call.once('cancelled', over);
    call.on('error', over);
    node.access.callerFromMetadata(call.metadata).then((caller) => {
      stop = serveBatchAppend(call, { node, caller }, fail);
    }, fail);
  };

const encodeOutcome = (
  pending: PendingAppend,
  expected: ExpectedRevision,
  outcome: AppendOutcome | WriteRefused,
): BatchAppendResp => {
  switch (outcome.kind) {
    case 'appended':
      return successReply(pending, outcome.revision, outcome.position);
    case 'wrong-revision':
      return failureReply(pending, wrongVersion(expected, outcome.revision));
    case 'stream-deleted':
      return failureReply(pending, streamDeleted(pending.stream));
    case 'refused':
      return failureReply(pending, writeFailed(outcome));
  }
};

export type Send = (reply: BatchAppendResp) => void;

/** Unfinished appends of one call, whose events are in memory. */
const maxPending = 1_000;
const maxPendingBytes = 4 * maxRecordBytes;

const createPendingAppends = () => {
  const pendingById = new Map<string, PendingAppend>();
  return {
    opened: pendingById,
    isTooMuch: (): boolean =>
      pendingById.size > maxPending ||
      [...pendingById.values()].reduce((sum, { weight }) => sum + weight, 0) > maxPendingBytes,
    close: (): void => {
      for (const { timer } of pendingById.values()) clearTimeout(timer);
      pendingById.clear();
    },
  };
};

/**
 * BatchAppend: many appends over one call, each answered by its correlation id. An error ends its append, not the call.
 */
const handleBatchAppend = ({ node, caller }: CallContext, send: Send) => {
  const { opened: pendingById, isTooMuch: exceedsLimits, close } = createPendingAppends();
  const finish = async (pending: PendingAppend): Promise<void> => {
    clearTimeout(pending.timer);
    const { stream, expected, events } = pending;
    if (pending.failure !== undefined || expected === undefined)
      return send(failureReply(pending, pending.failure ?? timedOut()));
    if (!node.access.isAllowed(caller, 'write', stream)) return send(failureReply(pending, accessDenied()));
    send(encodeOutcome(pending, expected, await node.writer.write(append({ stream, expected, events }))));
  };
  const begin = (key: string, request: BatchAppendReq): PendingAppend | undefined => {
    const options = request.getOptions();
    if (options === undefined) return pendingById.get(key);
    const pending = createPendingAppend(request, options, () => {
      if (pendingById.delete(key)) send(failureReply(pending, timedOut()));
    });
    pendingById.set(key, pending);
    return pending;
  };
  return {
    close,
    receive: async (request: BatchAppendReq): Promise<void> => {
      const key = uuidText(request.getCorrelationId()) ?? '';
      const pending = begin(key, request);
      if (pending === undefined) return;
      addEvents(pending, request);
      const finished = request.getIsFinal();
      if (!finished && !exceedsLimits()) return;
      if (!finished) failPending(pending, tooManyPending());
      pendingById.delete(key);
      await finish(pending);
    },
  };
};

/** One append of a BatchAppend call while its parts arrive. */
export interface PendingAppend extends AppendIdentity {
  readonly expected: ExpectedRevision | undefined;
  readonly events: NewRecord[];
  readonly timer: NodeJS.Timeout | undefined;
  size: number;
  weight: number;
  failure: Failure | undefined;
}

/** Frees the events. */
const failPending = (pending: PendingAppend, failure: Failure): void => {
  pending.failure = failure;
  pending.events.length = 0;
  pending.weight = 0;
};

const addEvents = (pending: PendingAppend, request: BatchAppendReq): void => {
  for (const message of request.getProposedMessagesList()) {
    if (pending.failure !== undefined) return;
    try {
      const record = decodeProposedEvent(message);
      pending.size += record.data.length;
      pending.weight += weightOf(record);
      pending.events.push(record);
      if (pending.size > maxAppendBytes || pending.weight > maxRecordBytes) failPending(pending, tooLarge());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      failPending(pending, badRequest(error.message));
    }
  }
};

const millisecondsLeft = (options: BatchAppendReq.Options): number | undefined => {
  const deadline = options.getDeadline();
  return deadline === undefined ? undefined : deadline.toDate().getTime() - Date.now();
};

const maxTimerMilliseconds = 2 ** 31 - 1;

const createPendingAppend = (
  request: BatchAppendReq,
  options: BatchAppendReq.Options,
  expire: () => void,
): PendingAppend => {
  const expected = decodeExpectedForms({
    revision: () => options.getStreamPosition(),
    isRevision: options.hasStreamPosition(),
    isNoStream: options.hasNoStream(),
    isAny: options.hasAny(),
    isStreamExists: options.hasStreamExists(),
  });
  const stream = decodeStreamName(options);
  const left = millisecondsLeft(options);
  const isExpired = left !== undefined && left <= 0;
  const unset =
    expected === undefined ? badRequest("'None' is not a valid ExpectedStreamPositionOneofCase") : undefined;
  const nameless = stream.length === 0 ? badRequest('The stream has no name.') : undefined;
  return {
    correlationId: request.getCorrelationId() ?? new UUID(),
    stream,
    expected,
    events: [],
    timer: left === undefined || isExpired ? undefined : setTimeout(expire, Math.min(left, maxTimerMilliseconds)),
    size: 0,
    weight: 0,
    failure: isExpired ? timedOut() : (unset ?? nameless),
  };
};
