/** Validates rules: their shape, and whether their members fit together. */

import { isTimeZone } from '../quota/calendar-period';
import { capacityOf } from './compile-limit';
import { parseRange } from './ip-range';
import {
  type Check,
  childPointer,
  type FaultCollector,
  integer,
  isJsonObject,
  type JsonObject,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  text,
} from './json-validation';
import type { Limit } from './limit';

const dimensions = [
  'tenant',
  'user',
  'key',
  'ip',
  'device',
  'route',
  'method',
  'region',
  'model',
  'organisation',
  'project',
] as const;

const maxValues = 100_000;
const maxNumber = 2 ** 40;
/** A leap year in milliseconds. */
const maxPeriodMilliseconds = 366 * 86_400_000;
const maxLeaseMilliseconds = 86_400_000;

const pattern: Check = (value, pointer, faults) => {
  text(value, pointer, faults);
  const star = typeof value === 'string' ? value.indexOf('*') : -1;
  if (star >= 0 && star < (value as string).length - 1) faults.add(pointer, 'may have * at its end and nowhere else.');
};

const range: Check = (value, pointer, faults) => {
  if (typeof value !== 'string' || parseRange(value) === undefined)
    faults.add(pointer, 'is to be an address, or a range such as 192.0.2.0/24 or 2001:db8::/32.');
};

const valuesOf = (name: string): Check => listOf(name === 'ip' ? range : pattern, { min: 1, max: maxValues });
const matchShape = objectOf({ optional: Object.fromEntries(dimensions.map((name) => [name, valuesOf(name)])) });

/** A match must not be empty: matching everything takes an explicit `*`. */
export const match: Check = (value, pointer, faults) => {
  matchShape(value, pointer, faults);
  if (!isJsonObject(value)) return;
  const names = Object.keys(value);
  if (names.length === 0) faults.add(pointer, 'is to name a dimension.');
  // A member that is undefined would let the rest match too much.
  for (const name of names) if (value[name] === undefined) faults.add(childPointer(pointer, name), 'is missing.');
};

const byShape = listOf(oneOf(...dimensions), { max: dimensions.length });

const by: Check = (value, pointer, faults) => {
  byShape(value, pointer, faults);
  if (Array.isArray(value) && new Set(value).size < value.length) faults.add(pointer, 'names a dimension twice.');
};

const zone: Check = (value, pointer, faults) => {
  if (typeof value !== 'string' || value.length > 64 || !isTimeZone(value))
    faults.add(pointer, 'is to be a time zone of the IANA database, such as Europe/Paris.');
};

const algorithm: Check = () => undefined;
const count = integer(1, maxNumber);
const rate = { algorithm, limit: count, periodMilliseconds: integer(1, maxPeriodMilliseconds) };

/** Every request reads the whole log, which blocks the store for half a millisecond at this size. */
const maxLogEntries = 1_000;

const limits: ReadonlyMap<unknown, Check> = new Map([
  ['token-bucket', objectOf({ required: { ...rate, burst: count } })],
  ['fixed-window', objectOf({ required: rate })],
  ['sliding-log', objectOf({ required: { ...rate, limit: integer(1, maxLogEntries) } })],
  ['sliding-counter', objectOf({ required: rate })],
  ['leaky-bucket', objectOf({ required: { ...rate, longestWaitMilliseconds: integer(0, 3_600_000) } })],
  [
    'concurrency',
    objectOf({
      required: { algorithm, limit: integer(1, 100_000), leaseMilliseconds: integer(1, maxLeaseMilliseconds) },
    }),
  ],
  [
    'quota',
    objectOf({ required: { algorithm, limit: count, per: oneOf('day', 'month') }, optional: { timeZone: zone } }),
  ],
]);

/** For valid limits only: the capacity, or why the limit cannot be counted. */
const checkedCapacity = (written: JsonObject): number | string => {
  if (written.algorithm === 'quota') return written.limit as number;
  try {
    return capacityOf(written as unknown as Limit);
  } catch (error) {
    if (error instanceof Error) return `${error.message}.`;
    throw error;
  }
};

const limit: Check = (value, pointer, faults) => {
  const known = isJsonObject(value) ? limits.get(value.algorithm) : undefined;
  if (known !== undefined) return known(value, pointer, faults);
  if (!isJsonObject(value)) return faults.add(pointer, 'is to be an object.');
  faults.add(childPointer(pointer, 'algorithm'), `is to be one of: ${[...limits.keys()].join(', ')}.`);
};

const units = ['requests', 'bytes', 'tokens', 'input-tokens', 'output-tokens', 'concurrent-requests'];
const maxNames = 10_000;
const numbers = (min: number): Check => mapOf(integer(min, maxNumber), { max: maxNames });

const cost = objectOf({
  required: { unit: oneOf(...units) },
  optional: {
    byRoute: numbers(0),
    per: integer(1, maxNumber),
    byModel: numbers(0),
    byTool: numbers(0),
    cachedInput: integer(0, 1_000),
    outputWhenUnknown: numbers(1),
  },
});

const millionth = 0.000_001;

const onStoreError: Check = (value, pointer, faults) => {
  if (value === 'deny' || value === 'allow') return;
  const share = isJsonObject(value) && Object.keys(value).length === 1 ? value.local : undefined;
  if (typeof share !== 'number' || !(share >= millionth && share <= 1))
    faults.add(pointer, 'is to be deny, allow, or { "local": a share from 0.000001 to 1 }.');
};

export const ruleShape = objectOf({
  required: { name: text, by, limit, onStoreError },
  optional: {
    when: match,
    cost,
    strictness: oneOf('hard', 'soft', 'watched'),
    hint: text,
    orphan: oneOf('keep', 'refund'),
  },
});

interface CheckedRule {
  readonly pointer: string;
  readonly faults: FaultCollector;
}

const tokenUnits: ReadonlySet<unknown> = new Set(['tokens', 'input-tokens', 'output-tokens']);

/** Which units each member of a cost applies to. */
const unitsOfMembers: readonly (readonly [member: string, isFit: (unit: unknown) => boolean])[] = Object.entries({
  byRoute: (unit) => unit === 'requests',
  per: (unit) => unit === 'bytes' || tokenUnits.has(unit),
  byModel: (unit) => tokenUnits.has(unit),
  byTool: (unit) => tokenUnits.has(unit),
  cachedInput: (unit) => unit === 'tokens' || unit === 'input-tokens',
  outputWhenUnknown: (unit) => unit === 'tokens' || unit === 'output-tokens',
} satisfies { readonly [member: string]: (unit: unknown) => boolean });

const checkUnit = (algorithm: unknown, unit: unknown, { pointer, faults }: CheckedRule): void => {
  if ((algorithm === 'concurrency') !== (unit === 'concurrent-requests'))
    faults.add(pointer, 'concurrent-requests are what concurrency counts, and all that it counts.');
  if (algorithm === 'leaky-bucket' && unit !== 'requests')
    faults.add(pointer, 'leaky-bucket counts requests: it is they that wait their turn.');
};

const checkLimit = (limit: JsonObject, cost: JsonObject, { pointer, faults }: CheckedRule): void => {
  const capacity = checkedCapacity(limit);
  if (typeof capacity === 'string') {
    faults.add(childPointer(pointer, 'limit'), capacity);
    return;
  }
  if (!isJsonObject(cost.byRoute)) return;
  const checked = childPointer(childPointer(pointer, 'cost'), 'byRoute');
  for (const [route, each] of Object.entries(cost.byRoute))
    if ((each as number) > capacity)
      faults.add(childPointer(checked, route), `is more than the limit’s capacity (${capacity}).`);
};

/** Members of a valid rule that do not fit together. */
export const checkConsistency = (rule: JsonObject, checked: CheckedRule): void => {
  const { pointer, faults } = checked;
  const limit = rule.limit as JsonObject;
  const unit = limit.algorithm === 'concurrency' ? 'concurrent-requests' : 'requests';
  const cost = isJsonObject(rule.cost) ? rule.cost : { unit };
  checkUnit(limit.algorithm, cost.unit, { pointer: childPointer(childPointer(pointer, 'cost'), 'unit'), faults });
  for (const [member, isFit] of unitsOfMembers)
    if (cost[member] !== undefined && !isFit(cost.unit))
      faults.add(childPointer(childPointer(pointer, 'cost'), member), `does not apply to ${String(cost.unit)}.`);
  if (rule.hint !== undefined && rule.strictness !== 'soft')
    faults.add(childPointer(pointer, 'hint'), 'is for soft limits only.');
  checkLimit(limit, cost, checked);
};
