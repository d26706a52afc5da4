/** Requests as the script takes them, and its answer as theirs: every key and every limit is said once. */

import type { Asked, Decided, LimitState, Mode } from './asked';
import type { Compiled } from './compiled';

export interface Request {
  readonly mode: Mode;
  readonly id: string;
  readonly asked: readonly Asked[];
}

export interface Batch {
  readonly keys: readonly string[];
  readonly values: readonly (string | Buffer)[];
}

/** In the order in which they came first, counted from 0. */
const placeOf = <Value>(known: Map<Value, number>, value: Value): number => {
  const place = known.get(value);
  if (place !== undefined) return place;
  known.set(value, known.size);
  return known.size - 1;
};

const modes = { take: 0, peek: 1 } as const;
const reserving = 2;
const bytesOfAll = 6;
const bytesOfRequest = 3;
const bytesOfLimit = 22;
/** The count of a quota is not known. */
const unknown = -1;

const sizeOf = (requests: readonly Request[]): number => {
  let size = bytesOfAll;
  for (const { asked } of requests) size += bytesOfRequest + asked.length * bytesOfLimit;
  return size;
};

/**
 * `<HHH`: keys of callers, keys of limits altogether, requests; per request `<BH`: mode, limits; per limit `<HHHdd`: key of its caller
 * (from 1), of what lies apart (from 1; 0: it does not), limit (from 0), cost, count.
 */
const packed = (requests: readonly Request[]) => {
  const [callers, apart, limits] = [new Map<string, number>(), new Map<string, number>(), new Map<Compiled, number>()];
  const plan = Buffer.allocUnsafe(sizeOf(requests));
  let at = bytesOfAll;
  for (const { mode, asked } of requests) {
    plan[at] = typeof mode === 'string' ? modes[mode] : reserving;
    plan.writeUInt16LE(asked.length, at + 1);
    at += bytesOfRequest;
    for (const { key, limit, cost, counted = unknown } of asked) {
      plan.writeUInt16LE(placeOf(callers, key) + 1, at);
      plan.writeUInt16LE(limit.isApart ? placeOf(apart, `${key}:${limit.id}`) + 1 : 0, at + 2);
      plan.writeUInt16LE(placeOf(limits, limit), at + 4);
      plan.writeDoubleLE(cost, at + 6);
      plan.writeDoubleLE(counted, at + 14);
      at += bytesOfLimit;
    }
  }
  plan.writeUInt16LE(callers.size, 0);
  plan.writeUInt16LE(callers.size + apart.size, 2);
  plan.writeUInt16LE(requests.length, 4);
  return { plan, keys: [...callers.keys(), ...apart.keys()], limits: [...limits.keys()], isNamed: apart.size > 0 };
};

interface Together {
  readonly limits: readonly Compiled[];
  readonly packed: Buffer;
}

/** By the first of them, as they were last together: most requests meet the same rules. */
const lately = new WeakMap<Compiled, Together>();

const packedTogether = (limits: readonly Compiled[]): Buffer => {
  const [first] = limits;
  if (first === undefined || limits.length === 1) return first?.packed ?? Buffer.alloc(0);
  const last = lately.get(first);
  if (last?.limits.length === limits.length && last.limits.every((limit, at) => limit === limits[at]))
    return last.packed;
  const packed = Buffer.concat(limits.map((limit) => limit.packed));
  lately.set(first, { limits, packed });
  return packed;
};

export const batchOf = (requests: readonly Request[]): Batch => {
  const { plan, keys, limits, isNamed } = packed(requests);
  const reservations = requests.flatMap(({ mode }) => (typeof mode === 'string' ? [] : [mode]));
  const isNeeded = isNamed || reservations.length > 0;
  const values: (string | Buffer)[] = [packedTogether(limits), plan, isNeeded ? (requests[0]?.id ?? '') : ''];
  for (const { reservation, milliseconds, context } of reservations) {
    keys.push(reservation);
    values.push(String(milliseconds), context);
  }
  return { keys, values };
};

const outcomes: { readonly [said: number]: Decided['outcome'] } = { 1: 'admitted', 0: 'refused', [-1]: 'uncounted' };

const bytesOfState = 40;
const bytesOfOutcome = 16;

const limitIn = (answer: Buffer, at: number, taken: number): LimitState => {
  const over = answer.readDoubleLE(at) === 1;
  const isTaken = taken > 0 && !over;
  return {
    over,
    remaining: answer.readDoubleLE(at + 8) - (isTaken ? taken : 0),
    resetMicroseconds: answer.readDoubleLE(at + (isTaken ? 32 : 16)),
    waitMicroseconds: answer.readDoubleLE(at + 24),
  };
};

/** In the order of the requests. */
export const decisionsIn = (answer: Buffer, requests: readonly Request[]): readonly Decided[] => {
  const at = answer.readDoubleLE(0);
  let place = 8;
  return requests.map(({ mode, asked }) => {
    const end = place + asked.length * bytesOfState;
    const outcome = outcomes[answer.readDoubleLE(end)] ?? 'refused';
    const isTaken = outcome === 'admitted' && mode !== 'peek';
    const limits = asked.map(({ cost }, index) => limitIn(answer, place + index * bytesOfState, isTaken ? cost : 0));
    const turnMicroseconds = answer.readDoubleLE(end + 8);
    place = end + bytesOfOutcome;
    return { outcome, at, turnMicroseconds, limits };
  });
};
