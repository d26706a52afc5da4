/** Asks the script, about what is there together, and gives up on what takes too long. */
import type { ChargeMode, LimitCharge, RunScript, StoreDecision } from '../store/limit-charge';
import { decodeDecisions, encodeScriptCall, type ScriptRequest } from './script-codec';
import { createTimerWheel, ResponseTimeout } from './timeouts';

export type DecideRequest = (mode: ChargeMode, id: string, charges: readonly LimitCharge[]) => Promise<StoreDecision>;

export interface BatchingOptions {
  /** Only keys of the same place may be in one script; left out, all may. */
  readonly slotOf?: (key: string) => string;
  /** Whoever has waited longer hears that it was too slow; what waits to be sent then, never is. Left out, all wait. */
  readonly maxWaitMilliseconds?: number;
  /** Told what was decided for those who have heard that it was too slow. */
  readonly onLate?: (mode: ChargeMode, decided: StoreDecision) => void;
}

interface PendingRequest extends ScriptRequest {
  readonly since: number;
  isOver: boolean;
  readonly resolve: (decided: StoreDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** A script of so many takes well under a millisecond, in which the store does nothing else. */
const maxBatchSize = 64;
/** While the store decides over some, the next ones gather; that there are several keeps neither side waiting for the other. */
const maxBatchesInFlight = 4;

const resolveRequests = (
  { onLate }: BatchingOptions,
  requests: readonly PendingRequest[],
  decided: readonly StoreDecision[],
): void => {
  for (let index = 0; index < requests.length; index += 1) {
    const request = requests[index] as PendingRequest;
    const one = decided[index] as StoreDecision;
    if (request.isOver) onLate?.(request.mode, one);
    else request.resolve(one);
    request.isOver = true;
  }
};

/** So that each script that may be under way has a share, and the store decides over one while the next is written. */
const batchSizeFor = (pending: number, inFlight: number): number =>
  Math.min(maxBatchSize, Math.ceil(pending / (maxBatchesInFlight - inFlight)));

/** Those of one place, from the front; the others stay. */
const takeBatch = (
  pending: PendingRequest[],
  max: number,
  slotOf: BatchingOptions['slotOf'],
): readonly PendingRequest[] => {
  if (slotOf === undefined) return pending.splice(0, max);
  const requestSlot = ({ charges: [first] }: PendingRequest): string => slotOf(first?.key ?? '');
  const slot = requestSlot(pending[0] as PendingRequest);
  const next = pending.filter((one) => requestSlot(one) === slot).slice(0, max);
  const batched = new Set(next);
  pending.splice(0, pending.length, ...pending.filter((one) => !batched.has(one)));
  return next;
};

/** They stand in the order in which they came. */
const expireRequests = (requests: readonly PendingRequest[], before: number): number => {
  let over = 0;
  for (const request of requests) {
    if (request.since >= before) break;
    over += 1;
    if (request.isOver) continue;
    request.isOver = true;
    request.reject(new ResponseTimeout('No answer in time.'));
  }
  return over;
};

/**
 * Alone, a request is sent as soon as those that came with it are known; when many come, those that came while others are decided go
 * together.
 */
export const createRequestBatcher = (run: RunScript, options: BatchingOptions = {}): DecideRequest => {
  const pending: PendingRequest[] = [];
  const inFlight = new Set<readonly PendingRequest[]>();
  let isScheduled = false;
  const wheel = createTimerWheel(options.maxWaitMilliseconds, (before) => {
    pending.splice(0, expireRequests(pending, before));
    for (const requests of inFlight) expireRequests(requests, before);
    return pending.length > 0 || inFlight.size > 0;
  });
  const scheduleSend = (): void => {
    if (isScheduled || pending.length === 0 || inFlight.size >= maxBatchesInFlight) return;
    isScheduled = true;
    queueMicrotask(sendReady);
  };
  const sendBatch = async (requests: readonly PendingRequest[]): Promise<void> => {
    inFlight.add(requests);
    try {
      const { keys, values } = encodeScriptCall(requests);
      resolveRequests(options, requests, decodeDecisions((await run(keys, values)) as Buffer, requests));
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
    inFlight.delete(requests);
    scheduleSend();
  };
  const sendReady = (): void => {
    isScheduled = false;
    while (inFlight.size < maxBatchesInFlight && pending.length > 0)
      void sendBatch(takeBatch(pending, batchSizeFor(pending.length, inFlight.size), options.slotOf));
  };
  return (mode, id, charges) =>
    new Promise((resolve, reject) => {
      pending.push({ mode, id, charges: charges, since: wheel.now(), isOver: false, resolve, reject });
      scheduleSend();
    });
};
