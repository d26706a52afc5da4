/** What a rule may say. */

import { rangeOf } from './addresses';
import { at, type Check, integer, isMembers, listOf, type Members, mapOf, members, oneOf, text } from './checks';
import { capacityOf } from './compiled';
import type { Limit } from './limit';
import { isTimeZone } from './quota/calendar';

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

const mostValues = 100_000;
const largest = 2 ** 40;
/** A leap year's, in milliseconds. */
const longestPeriod = 366 * 86_400_000;
const longestLease = 86_400_000;

const pattern: Check = (value, pointer, faults) => {
  text(value, pointer, faults);
  const star = typeof value === 'string' ? value.indexOf('*') : -1;
  if (star >= 0 && star < (value as string).length - 1) faults.add(pointer, 'may have * at its end and nowhere else.');
};

const range: Check = (value, pointer, faults) => {
  if (typeof value !== 'string' || rangeOf(value) === undefined)
    faults.add(pointer, 'is to be an address, or a range such as 192.0.2.0/24 or 2001:db8::/32.');
};

const valuesOf = (name: string): Check => listOf(name === 'ip' ? range : pattern, { least: 1, most: mostValues });
const matchShape = members({ optional: Object.fromEntries(dimensions.map((name) => [name, valuesOf(name)])) });

/** What matches everything says so (`*`), so that nobody lets all pass by what they forgot to write. */
export const match: Check = (value, pointer, faults) => {
  matchShape(value, pointer, faults);
  if (!isMembers(value)) return;
  const names = Object.keys(value);
  if (names.length === 0) faults.add(pointer, 'is to name a dimension.');
  // What was to be there and is not would let the rest match more than was meant.
  for (const name of names) if (value[name] === undefined) faults.add(at(pointer, name), 'is missing.');
};

const byShape = listOf(oneOf(...dimensions), { most: dimensions.length });

const by: Check = (value, pointer, faults) => {
  byShape(value, pointer, faults);
  if (Array.isArray(value) && new Set(value).size < value.length) faults.add(pointer, 'names a dimension twice.');
};

const zone: Check = (value, pointer, faults) => {
  if (typeof value !== 'string' || value.length > 64 || !isTimeZone(value))
    faults.add(pointer, 'is to be a time zone of the IANA database, such as Europe/Paris.');
};

const algorithm: Check = () => undefined;
const count = integer(1, largest);
const rate = { algorithm, limit: count, periodMilliseconds: integer(1, longestPeriod) };

/** Each request reads the whole of it: half a millisecond of the store's time, in which it does nothing else. */
const longestLog = 1_000;

const limits: ReadonlyMap<unknown, Check> = new Map([
  ['token-bucket', members({ required: { ...rate, burst: count } })],
  ['fixed-window', members({ required: rate })],
  ['sliding-log', members({ required: { ...rate, limit: integer(1, longestLog) } })],
  ['sliding-counter', members({ required: rate })],
  ['leaky-bucket', members({ required: { ...rate, longestWaitMilliseconds: integer(0, 3_600_000) } })],
  [
    'concurrency',
    members({ required: { algorithm, limit: integer(1, 100_000), leaseMilliseconds: integer(1, longestLease) } }),
  ],
  [
    'quota',
    members({ required: { algorithm, limit: count, per: oneOf('day', 'month') }, optional: { timeZone: zone } }),
  ],
]);

/** Only of one that is well written: the most that it ever holds, or why it cannot be counted. */
export const checkedCapacity = (written: Members): number | string => {
  if (written.algorithm === 'quota') return written.limit as number;
  try {
    return capacityOf(written as unknown as Limit);
  } catch (error) {
    if (error instanceof Error) return `${error.message}.`;
    throw error;
  }
};

const limit: Check = (value, pointer, faults) => {
  const known = isMembers(value) ? limits.get(value.algorithm) : undefined;
  if (known !== undefined) return known(value, pointer, faults);
  if (!isMembers(value)) return faults.add(pointer, 'is to be an object.');
  faults.add(at(pointer, 'algorithm'), `is to be one of: ${[...limits.keys()].join(', ')}.`);
};

const units = ['requests', 'bytes', 'tokens', 'input-tokens', 'output-tokens', 'concurrent-requests'];
const mostNames = 10_000;
const numbers = (least: number): Check => mapOf(integer(least, largest), { most: mostNames });

const cost = members({
  required: { unit: oneOf(...units) },
  optional: {
    byRoute: numbers(0),
    per: integer(1, largest),
    byModel: numbers(0),
    byTool: numbers(0),
    cachedInput: integer(0, 1_000),
    outputWhenUnknown: numbers(1),
  },
});

const millionth = 0.000_001;

const onStoreError: Check = (value, pointer, faults) => {
  if (value === 'deny' || value === 'allow') return;
  const share = isMembers(value) && Object.keys(value).length === 1 ? value.local : undefined;
  if (typeof share !== 'number' || !(share >= millionth && share <= 1))
    faults.add(pointer, 'is to be deny, allow, or { "local": a share from 0.000001 to 1 }.');
};

export const ruleShape = members({
  required: { name: text, by, limit, onStoreError },
  optional: {
    when: match,
    cost,
    strictness: oneOf('hard', 'soft', 'watched'),
    hint: text,
    orphan: oneOf('keep', 'refund'),
  },
});
