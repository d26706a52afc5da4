/**
 * Document leases in Redis: one script call each, by the server's clock. Leases that Redis loses are acquired again
 * at the next renewal.
 */
import { randomUUID } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { DocumentLeaseFault, DocumentLeases } from '../../../ports/editor/document-leases';
import type { RedisAt } from '../../../server/runtime/redis-address';
import { openRedisAt, script } from '../connection';

/**
 * KEYS: one per document. ARGV: verb, holder, milliseconds, address, address that the lease may be taken from. The
 * value is `<holder> <address>`: a process that restarts at the same address takes its predecessor's leases.
 * `acquire` returns the resulting value, `renew` and `release` the keys that others hold.
 */
const lua = `
local what, holder, ttl, address, instead = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local mine = holder .. ' ' .. address
if what == 'acquire' then
  local there = redis.call('GET', KEYS[1])
  local at = there and string.sub(there, #holder + 2)
  if there and there ~= mine and at ~= address and at ~= instead then return there end
  redis.call('SET', KEYS[1], mine, 'PX', ttl)
  return mine
end
local others = {}
for _, key in ipairs(KEYS) do
  local there = redis.call('GET', key)
  if there and there ~= mine then others[#others + 1] = key
  elseif what == 'renew' then redis.call('SET', key, mine, 'PX', ttl)
  elseif there then redis.call('DEL', key) end
end
return others`;

const prefix = 'document-owner:';
const keyOf = (document: string): string => `${prefix}${document}`;
const addressIn = (value: string): string => value.slice(value.indexOf(' ') + 1);

const attempt = async <A>(work: () => Promise<A>): Promise<Either<DocumentLeaseFault, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('owners-unavailable', 'Redis cannot be reached right now.'));
  }
};

export type DocumentLeasesOptions = RedisAt & {
  /** Address at which other processes reach this one. */
  readonly address: string;
};

/** On a cluster, documents are in different slots, so each needs its own call; all are sent at once. */
const batchesOf = (documents: readonly string[], isCluster: boolean): readonly (readonly string[])[] =>
  isCluster ? documents.map((document) => [document]) : [documents];

interface LeaseStep {
  readonly action: 'acquire' | 'renew' | 'release';
  readonly milliseconds: number;
  readonly instead?: string | undefined;
}

export const openRedisDocumentLeases = ({ address, ...at }: DocumentLeasesOptions): DocumentLeases => {
  const redis = openRedisAt(at);
  const run = script(redis, 'documentOwners', lua);
  const holder = randomUUID();
  const step = (documents: readonly string[], { action, milliseconds, instead = '' }: LeaseStep) =>
    run(documents.map(keyOf), action, holder, Math.ceil(milliseconds), address, instead);
  const each = async (documents: readonly string[], leaseStep: LeaseStep) => {
    const steps = batchesOf(documents, redis.isCluster).map((some) => step(some, leaseStep));
    return ((await Promise.all(steps)) as readonly (readonly string[])[]).flat();
  };
  return {
    acquire: (document, milliseconds, instead) =>
      attempt(async () => {
        const value = String(await step([document], { action: 'acquire', milliseconds, instead }));
        return { isHeld: value === `${holder} ${address}`, address: addressIn(value) };
      }),
    renew: (documents, milliseconds) =>
      attempt(async () => {
        const others = await each(documents, { action: 'renew', milliseconds });
        return others.map((key) => key.slice(prefix.length));
      }),
    holderAddress: (document) =>
      attempt(async () => {
        const value = await redis.get(keyOf(document));
        return value === null ? undefined : addressIn(value);
      }),
    release: (documents) => attempt(async () => void (await each(documents, { action: 'release', milliseconds: 1 }))),
    close: async () => redis.disconnect(),
  };
};
