/** BatchAppend: many appends over one call, each answered by its correlation id; an error ends its append, not the call. */
import { UUID } from '@eventstore/db-client/generated/shared_pb';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { append } from '../storage/append';
import type { NewRecord } from '../storage/record';
import type { AppendOutcome, ExpectedRevision } from '../storage/write';
import type { Refused } from '../storage/writer';
import {
  type Answered,
  accessDenied,
  badRequest,
  deleted,
  type Failure,
  failed,
  refused,
  succeeded,
  timedOut,
  tooLarge,
  tooMuchUnfinished,
  wrongVersion,
} from './batch-replies';
import type { Calling } from './calls';
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

export type Send = (reply: BatchAppendResp) => void;

/** Its events are not needed any more. */
const giveUp = (open: Open, failure: Failure): void => {
  open.failure = failure;
  open.events.length = 0;
  open.weight = 0;
};

const take = (open: Open, request: BatchAppendReq): void => {
  for (const message of request.getProposedMessagesList()) {
    if (open.failure !== undefined) return;
    try {
      const record = newRecordOf(message);
      open.size += record.data.length;
      open.weight += weightOf(record);
      open.events.push(record);
      if (open.size > maximumAppendSize || open.weight > largestRecord) giveUp(open, tooLarge());
    } catch (error) {
      if (!(error instanceof CallEnded)) throw error;
      giveUp(open, badRequest(error.message));
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

/** Appends begun and not finished, of one call: their events are in memory. */
const mostOpen = 1_000;
const heaviestOpen = 4 * largestRecord;

const createUnfinished = () => {
  const opened = new Map<string, Open>();
  return {
    opened,
    isTooMuch: (): boolean =>
      opened.size > mostOpen || [...opened.values()].reduce((sum, { weight }) => sum + weight, 0) > heaviestOpen,
    close: (): void => {
      for (const { timer } of opened.values()) clearTimeout(timer);
      opened.clear();
    },
  };
};

export const handleBatchAppend = ({ node, caller }: Calling, send: Send) => {
  const { opened, isTooMuch, close } = createUnfinished();
  const finish = async (open: Open): Promise<void> => {
    clearTimeout(open.timer);
    const { stream, expected, events } = open;
    if (open.failure !== undefined || expected === undefined) return send(failed(open, open.failure ?? timedOut()));
    if (!node.access.isAllowed(caller, 'write', stream)) return send(failed(open, accessDenied()));
    send(answered(open, expected, await node.writer.write(append({ stream, expected, events }))));
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
    close,
    receive: async (request: BatchAppendReq): Promise<void> => {
      const key = uuidText(request.getCorrelationId()) ?? '';
      const open = begin(key, request);
      if (open === undefined) return;
      take(open, request);
      const finished = request.getIsFinal();
      if (!finished && !isTooMuch()) return;
      if (!finished) giveUp(open, tooMuchUnfinished());
      opened.delete(key);
      await finish(open);
    },
  };
};
