/**
 * Reservations that are to be given back unless they are settled in time: sorted lists by the store's time, so that any process finds
 * what another one left behind.
 */

import { storeTime } from '../redis/scripts/decide';
import type { RunScript } from '../store/limit-charge';

/** Who may give it back: `any` process, or one that has the counts of quotas that outlive the store, for these are given back as well. */
export type OrphanKind = 'any' | 'counted';

/** Of a hash tag of their own: they are asked apart from all limits. */
const listKeys: { readonly [kind in OrphanKind]: string } = {
  any: 'limit:{orphans}:due',
  counted: 'limit:{orphans}:due-counted',
};

/** Whoever is told of one has so long to settle it; then it is told again. */
const claimMilliseconds = 30_000;

/** KEYS: the list. ARGV: `note`, reservation, after how many ms it is due; `forget`, reservation; or `due`, how many at most. */
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

/** As the store: undefined when it cannot be asked. */
export interface OrphanQueue {
  readonly add: (reservation: string, milliseconds: number, kind: OrphanKind) => Promise<unknown>;
  readonly remove: (reservation: string, kind: OrphanKind) => Promise<unknown>;
  /** Those that are due; told to one process, and to another one when that does not settle them. */
  readonly claimDue: (max: number, kind: OrphanKind) => Promise<readonly string[] | undefined>;
}

export const createOrphanQueue = (run: RunScript): OrphanQueue => ({
  add: (reservation, milliseconds, kind) => run([listKeys[kind]], ['note', reservation, String(milliseconds)]),
  remove: (reservation, kind) => run([listKeys[kind]], ['forget', reservation]),
  claimDue: async (max, kind) => (await run([listKeys[kind]], ['due', String(max)])) as readonly string[] | undefined,
});
