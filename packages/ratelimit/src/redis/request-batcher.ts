/** Batches concurrent requests into script calls, with a timeout per request. */
import type { ChargeMode, LimitCharge, RunScript, StoreDecision } from '../store/limit-charge';
import { decodeDecisions, encodeScriptCall, type ScriptRequest } from './script-codec';
import { createTimerWheel, ResponseTimeout } from './timeouts';

export type DecideRequest = (mode: ChargeMode, id: string, charges: readonly LimitCharge[]) => Promise<StoreDecision>;

export interface BatchingOptions {
  /** Requests of one slot per script; any requests if absent. */
  readonly slotOf?: (key: string) => string;
  /** Rejects requests after this time; those not sent yet never are. No timeout if absent. */
  readonly maxWaitMilliseconds?: number;
  /** Called with decisions about requests that have timed out. */
  readonly onLate?: (mode: ChargeMode, decided: StoreDecision) => void;
}

interface PendingRequest extends ScriptRequest {
  readonly since: number;
  isOver: boolean;
  readonly resolve: (decided: StoreDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** Such a script blocks the store for well under a millisecond. */
const maxBatchSize = 64;
/** Several batches in flight keep client and store busy at the same time. */
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

/** Splits the pending requests among the free batches. */
const batchSizeFor = (pending: number, inFlight: number): number =>
  Math.min(maxBatchSize, Math.ceil(pending / (maxBatchesInFlight - inFlight)));

/** Takes requests of the first one's slot; the others stay. */
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

/** Requests are in arrival order. */
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
 * Sends a lone request in the same tick; under load, requests that arrive while others are in flight form the next
 * batch.
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
      pending.push({ mode, id, charges, since: wheel.now(), isOver: false, resolve, reject });
      scheduleSend();
    });
};
