/** Encodes requests for the script and decodes its reply; keys and limits are sent once each. */

import type { CompiledLimit } from '../policy/compile-limit';
import type { ChargeMode, LimitCharge, LimitState, StoreDecision } from '../store/limit-charge';

export interface ScriptRequest {
  readonly mode: ChargeMode;
  readonly id: string;
  readonly charges: readonly LimitCharge[];
}

export interface ScriptCall {
  readonly keys: readonly string[];
  readonly values: readonly (string | Buffer)[];
}

/** Index by first appearance, from 0. */
const indexOf = <Value>(known: Map<Value, number>, value: Value): number => {
  const place = known.get(value);
  if (place !== undefined) return place;
  known.set(value, known.size);
  return known.size - 1;
};

const modes = { take: 0, peek: 1 } as const;
const reserveMode = 2;
const headerBytes = 6;
const requestBytes = 3;
const limitBytes = 22;
/** The quota's count is unknown. */
const unknownCount = -1;

const sizeOf = (requests: readonly ScriptRequest[]): number => {
  let size = headerBytes;
  for (const { charges } of requests) size += requestBytes + charges.length * limitBytes;
  return size;
};

/**
 * `<HHH`: caller keys, all limit keys, requests; per request `<BH`: mode, limits; per limit `<HHHdd`: caller key (from
 * 1), own key (from 1; 0: none), limit (from 0), cost, count.
 */
const packRequests = (requests: readonly ScriptRequest[]) => {
  const [callers, ownKeys, limits] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<CompiledLimit, number>(),
  ];
  const plan = Buffer.allocUnsafe(sizeOf(requests));
  let at = headerBytes;
  for (const { mode, charges } of requests) {
    plan[at] = typeof mode === 'string' ? modes[mode] : reserveMode;
    plan.writeUInt16LE(charges.length, at + 1);
    at += requestBytes;
    for (const { key, limit, cost, counted = unknownCount } of charges) {
      plan.writeUInt16LE(indexOf(callers, key) + 1, at);
      plan.writeUInt16LE(limit.hasOwnKey ? indexOf(ownKeys, `${key}:${limit.id}`) + 1 : 0, at + 2);
      plan.writeUInt16LE(indexOf(limits, limit), at + 4);
      plan.writeDoubleLE(cost, at + 6);
      plan.writeDoubleLE(counted, at + 14);
      at += limitBytes;
    }
  }
  plan.writeUInt16LE(callers.size, 0);
  plan.writeUInt16LE(callers.size + ownKeys.size, 2);
  plan.writeUInt16LE(requests.length, 4);
  return { plan, keys: [...callers.keys(), ...ownKeys.keys()], limits: [...limits.keys()], isNamed: ownKeys.size > 0 };
};

interface PackedLimits {
  readonly limits: readonly CompiledLimit[];
  readonly packed: Buffer;
}

/** The latest list by its first limit, because most requests meet the same rules. */
const recentlyPacked = new WeakMap<CompiledLimit, PackedLimits>();

const packLimits = (limits: readonly CompiledLimit[]): Buffer => {
  const [first] = limits;
  if (first === undefined || limits.length === 1) return first?.packed ?? Buffer.alloc(0);
  const last = recentlyPacked.get(first);
  if (last?.limits.length === limits.length && last.limits.every((limit, at) => limit === limits[at]))
    return last.packed;
  const packed = Buffer.concat(limits.map((limit) => limit.packed));
  recentlyPacked.set(first, { limits, packed });
  return packed;
};

export const encodeScriptCall = (requests: readonly ScriptRequest[]): ScriptCall => {
  const { plan, keys, limits, isNamed } = packRequests(requests);
  const reservations = requests.flatMap(({ mode }) => (typeof mode === 'string' ? [] : [mode]));
  const isNeeded = isNamed || reservations.length > 0;
  const values: (string | Buffer)[] = [packLimits(limits), plan, isNeeded ? (requests[0]?.id ?? '') : ''];
  for (const { reservation, milliseconds, context } of reservations) {
    keys.push(reservation);
    values.push(String(milliseconds), context);
  }
  return { keys, values };
};

const outcomes: { readonly [code: number]: StoreDecision['outcome'] } = {
  1: 'admitted',
  0: 'refused',
  [-1]: 'uncounted',
};

const stateBytes = 40;
const outcomeBytes = 16;

const decodeLimitState = (answer: Buffer, at: number, charged: number): LimitState => {
  const over = answer.readDoubleLE(at) === 1;
  const isTaken = charged > 0 && !over;
  return {
    over,
    remaining: answer.readDoubleLE(at + 8) - (isTaken ? charged : 0),
    resetMicroseconds: answer.readDoubleLE(at + (isTaken ? 32 : 16)),
    waitMicroseconds: answer.readDoubleLE(at + 24),
  };
};

/** In the order of the requests. */
export const decodeDecisions = (answer: Buffer, requests: readonly ScriptRequest[]): readonly StoreDecision[] => {
  const at = answer.readDoubleLE(0);
  let place = 8;
  return requests.map(({ mode, charges }) => {
    const end = place + charges.length * stateBytes;
    const outcome = outcomes[answer.readDoubleLE(end)] ?? 'refused';
    const isTaken = outcome === 'admitted' && mode !== 'peek';
    const limits = charges.map(({ cost }, index) =>
      decodeLimitState(answer, place + index * stateBytes, isTaken ? cost : 0),
    );
    const turnMicroseconds = answer.readDoubleLE(end + 8);
    place = end + outcomeBytes;
    return { outcome, at, turnMicroseconds, limits };
  });
};
