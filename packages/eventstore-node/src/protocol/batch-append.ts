/** BatchAppend: many appends over one call, each answered by its correlation id; an error ends its append, not the call. */
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { append } from '../storage/append';
import type { AppendOutcome, ExpectedRevision } from '../storage/write';
import type { Refused } from '../storage/writer';
import { giveUp, type Open, openAppend, take } from './batch-open';
import {
  accessDenied,
  deleted,
  failed,
  refused,
  succeeded,
  timedOut,
  tooMuchUnfinished,
  wrongVersion,
} from './batch-replies';
import type { Calling } from './calls';
import { largestRecord, uuidText } from './proposed';

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
