/**
 * Appends over one long BatchAppend call, as the client's own appendToStream does, which is not used here: it keeps what
 * waits in one table for all clients of a process, so that one broken connection fails the appends of another and a late
 * reply ends the process; and it never gives up waiting.
 */
import { randomUUID } from 'node:crypto';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import { left } from 'fp-ts/Either';
import { ambiguous, callFault, unavailable } from '../faults';
import type { BatchReply, Outcome } from './batch-messages';
import { encodeBatchRequest, type ProposedAppend } from './batch-messages';

export type Duplex = ClientDuplexStream<Buffer, BatchReply>;

/** A call, and a callback for its broken connection. */
export interface OpenedCall {
  readonly duplex: Duplex;
  readonly broke: (error: Error) => void;
}

interface PendingAppend {
  readonly settle: (outcome: Outcome) => void;
  readonly timer: NodeJS.Timeout;
}

interface BatchCall {
  readonly duplex: Duplex;
  readonly waiting: Map<string, PendingAppend>;
  over: boolean;
}

const settle = ({ waiting }: BatchCall, id: string, outcome: Outcome): void => {
  const found = waiting.get(id);
  if (found === undefined) return;
  waiting.delete(id);
  clearTimeout(found.timer);
  found.settle(outcome);
};

const listen = ({ duplex, broke }: OpenedCall): BatchCall => {
  const call: BatchCall = { duplex, waiting: new Map(), over: false };
  const end = (outcome: Outcome): void => {
    call.over = true;
    for (const id of [...call.waiting.keys()]) settle(call, id, outcome);
  };
  duplex.on('data', ({ correlationId, outcome }: BatchReply) => settle(call, correlationId, outcome));
  duplex.on('error', (error) => {
    broke(error);
    end(left(callFault(error)));
  });
  duplex.on('end', () => end(left(ambiguous())));
  return call;
};

const send = (call: BatchCall, change: ProposedAppend, milliseconds: number): Promise<Outcome> => {
  if (call.over) return Promise.resolve(left(unavailable()));
  const id = randomUUID();
  const request = encodeBatchRequest(id, change);
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(call, id, left(ambiguous())), milliseconds);
    call.waiting.set(id, { settle: resolve, timer });
    call.duplex.write(request);
  });
};

export interface BatchAppender {
  readonly append: (change: ProposedAppend) => Promise<Outcome>;
  readonly close: () => void;
}

export const createBatchAppender = (open: () => Promise<OpenedCall>, milliseconds: number): BatchAppender => {
  let current: Promise<BatchCall> | undefined;
  let closed = false;
  const drop = (attempt: Promise<BatchCall>): void => {
    if (current === attempt) current = undefined;
  };
  /** Undefined when no call can be opened: nothing was sent. */
  const usable = async (): Promise<BatchCall | undefined> => {
    current ??= open().then(listen);
    const attempt = current;
    const call = await attempt.catch(() => undefined);
    if (call !== undefined && !call.over) return call;
    drop(attempt);
    return call === undefined ? undefined : usable();
  };
  return {
    append: async (change) => {
      const call = closed ? undefined : await usable();
      return call === undefined ? left(unavailable()) : send(call, change, milliseconds);
    },
    close: () => {
      closed = true;
      current?.then(({ duplex }) => duplex.cancel()).catch(() => undefined);
    },
  };
};
