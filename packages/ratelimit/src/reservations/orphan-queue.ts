/**
 * Queue of reservations to refund unless they are settled in time, sorted by due time in the store, so that any process
 * can refund those of another.
 */

import { storeTime } from '../redis/scripts/decide';
import type { RunScript } from '../store/limit-charge';

/** The processes that refund: `any` process, or one with durable quota counts (`counted`). */
export type OrphanKind = 'any' | 'counted';

/** With a hash tag of their own, independent of the limits. */
const listKeys: { readonly [kind in OrphanKind]: string } = {
  any: 'limit:{orphans}:due',
  counted: 'limit:{orphans}:due-counted',
};

/** A process that claims a due reservation has this long to settle it; then it is due again. */
const claimMilliseconds = 30_000;

/** KEYS: the list. ARGV: `note`, reservation, ms until due; `forget`, reservation; or `due`, maximum number. */
export const orphanScript = (time: string = storeTime): string => `${time}
local now = math.floor(clock / 1000)
if ARGV[1] == 'note' then return redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[3]), ARGV[2]) end
if ARGV[1] == 'forget' then return redis.call('ZREM', KEYS[1], ARGV[2]) end
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[2])
for _, one in ipairs(due) do
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ${claimMilliseconds}), one)
end
return due
`;

/** Undefined if the store is unavailable. */
export interface OrphanQueue {
  readonly add: (reservation: string, milliseconds: number, kind: OrphanKind) => Promise<unknown>;
  readonly remove: (reservation: string, kind: OrphanKind) => Promise<unknown>;
  /** Claims due reservations for this process. */
  readonly claimDue: (max: number, kind: OrphanKind) => Promise<readonly string[] | undefined>;
}

export const createOrphanQueue = (run: RunScript): OrphanQueue => ({
  add: (reservation, milliseconds, kind) => run([listKeys[kind]], ['note', reservation, String(milliseconds)]),
  remove: (reservation, kind) => run([listKeys[kind]], ['forget', reservation]),
  claimDue: async (max, kind) => (await run([listKeys[kind]], ['due', String(max)])) as readonly string[] | undefined,
});
