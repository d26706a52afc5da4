/** BatchAppend: many appends over one call, each answered by its correlation id; an error ends its append, not the call. */
import { UUID } from '@eventstore/db-client/generated/shared_pb';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { append } from '../storage/append';
import type { NewRecord } from '../storage/record';
import type { AppendOutcome, ExpectedRevision } from '../storage/write';
import type { Refused, Writer } from '../storage/writer';
import {
  type Answered,
  badRequest,
  deleted,
  type Failure,
  failed,
  refused,
  succeeded,
  timedOut,
  tooLarge,
  wrongVersion,
} from './batch-replies';
import { CallEnded, maximumAppendSize } from './errors';
import { expectedOf, largestRecord, newRecordOf, streamNameIn, uuidText, weightOf } from './proposed';

/** One append while its parts arrive. */
interface Open extends Answered {
  readonly expected: ExpectedRevision | undefined;
  readonly events: NewRecord[];
  readonly timer: NodeJS.Timeout | undefined;
  size: number;
  weight: number;
  failure: Failure | undefined;
}

const answered = (open: Open, expected: ExpectedRevision, outcome: AppendOutcome | Refused): BatchAppendResp => {
  switch (outcome.kind) {
    case 'appended':
      return succeeded(open, outcome.revision, outcome.position);
    case 'wrong-revision':
      return failed(open, wrongVersion(expected, outcome.revision));
    case 'stream-deleted':
      return failed(open, deleted(open.stream));
    case 'refused':
      return failed(open, refused(outcome));
  }
};

/** Waits for room: replies are answered as fast as the client reads them. */
export type Send = (reply: BatchAppendResp) => void;

const take = (open: Open, request: BatchAppendReq): void => {
  for (const message of request.getProposedMessagesList()) {
    if (open.failure !== undefined) return;
    try {
      const record = newRecordOf(message);
      open.size += record.data.length;
      open.weight += weightOf(record);
      if (open.size > maximumAppendSize || open.weight > largestRecord) open.failure = tooLarge();
      open.events.push(record);
    } catch (error) {
      if (!(error instanceof CallEnded)) throw error;
      open.failure = badRequest(error.message);
    }
  }
};

const millisecondsLeft = (options: BatchAppendReq.Options): number | undefined => {
  const deadline = options.getDeadline();
  return deadline === undefined ? undefined : deadline.toDate().getTime() - Date.now();
};

const longestTimer = 2 ** 31 - 1;

const openAppend = (request: BatchAppendReq, options: BatchAppendReq.Options, expire: () => void): Open => {
  const expected = expectedOf({
    revision: () => options.getStreamPosition(),
    isRevision: options.hasStreamPosition(),
    isNoStream: options.hasNoStream(),
    isAny: options.hasAny(),
    isStreamExists: options.hasStreamExists(),
  });
  const stream = streamNameIn(options);
  const left = millisecondsLeft(options);
  const late = left !== undefined && left <= 0;
  const unset =
    expected === undefined ? badRequest("'None' is not a valid ExpectedStreamPositionOneofCase") : undefined;
  const nameless = stream.length === 0 ? badRequest('The stream has no name.') : undefined;
  return {
    correlationId: request.getCorrelationId() ?? new UUID(),
    stream,
    expected,
    events: [],
    timer: left === undefined || late ? undefined : setTimeout(expire, Math.min(left, longestTimer)),
    size: 0,
    weight: 0,
    failure: late ? timedOut() : (unset ?? nameless),
  };
};

export const handleBatchAppend = (writer: Writer, send: Send) => {
  const opened = new Map<string, Open>();
  const finish = async (open: Open): Promise<void> => {
    clearTimeout(open.timer);
    if (open.failure !== undefined || open.expected === undefined)
      return send(failed(open, open.failure ?? timedOut()));
    const { stream, expected, events } = open;
    send(answered(open, expected, await writer.write(append({ stream, expected, events }))));
  };
  const begin = (key: string, request: BatchAppendReq): Open | undefined => {
    const options = request.getOptions();
    if (options === undefined) return opened.get(key);
    const open = openAppend(request, options, () => {
      if (opened.delete(key)) send(failed(open, timedOut()));
    });
    opened.set(key, open);
    return open;
  };
  return {
    receive: async (request: BatchAppendReq): Promise<void> => {
      const key = uuidText(request.getCorrelationId()) ?? '';
      const open = begin(key, request);
      if (open === undefined) return;
      take(open, request);
      if (!request.getIsFinal()) return;
      opened.delete(key);
      await finish(open);
    },
    close: () => {
      for (const { timer } of opened.values()) clearTimeout(timer);
      opened.clear();
    },
  };
};
