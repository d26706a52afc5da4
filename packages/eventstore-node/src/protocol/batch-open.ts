/** One append of a BatchAppend call while its parts arrive. */
import { UUID } from '@eventstore/db-client/generated/shared_pb';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import type { NewRecord } from '../storage/record';
import type { ExpectedRevision } from '../storage/write';
import { type Answered, badRequest, type Failure, timedOut, tooLarge } from './batch-replies';
import { CallEnded, maximumAppendSize } from './errors';
import { expectedOf, largestRecord, newRecordOf, streamNameIn, weightOf } from './proposed';

export interface Open extends Answered {
  readonly expected: ExpectedRevision | undefined;
  readonly events: NewRecord[];
  readonly timer: NodeJS.Timeout | undefined;
  size: number;
  weight: number;
  failure: Failure | undefined;
}

/** Its events are not needed any more. */
export const giveUp = (open: Open, failure: Failure): void => {
  open.failure = failure;
  open.events.length = 0;
  open.weight = 0;
};

export const take = (open: Open, request: BatchAppendReq): void => {
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

export const openAppend = (request: BatchAppendReq, options: BatchAppendReq.Options, expire: () => void): Open => {
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
