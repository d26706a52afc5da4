/**
 * Idempotency store: the first request with a key claims it and decides; the others get its answer. A claim expires, so
 * after a crash the next request decides.
 */
import type { RunScript } from '../store/limit-charge';

/** `mine`: decide, then complete or release the key. `others`: another request is deciding. */
export type ClaimResult = 'mine' | 'others' | { readonly answer: string };

/** Undefined if the store is unavailable. */
export interface IdempotencyStore {
  /** `by`: unique id of the claimant. */
  readonly claim: (name: string, by: string) => Promise<ClaimResult | undefined>;
  readonly complete: (claim: OwnedKey, answer: string, milliseconds: number) => Promise<unknown>;
  readonly release: (claim: OwnedKey) => Promise<unknown>;
}

export interface OwnedKey {
  readonly name: string;
  readonly by: string;
}

/** Longer than any decision takes. */
const claimMilliseconds = 5_000;

/** A stored value is a claim with its owner, or an answer. */
const [claimedPrefix, answeredPrefix] = ['?', '='];

/** KEYS: the request. ARGV: `claim`, claim, TTL in ms; `keep`, claim, TTL in ms, answer; or `drop`, claim. */
export const idempotencyScript = `
local stored = redis.call('GET', KEYS[1])
if ARGV[1] == 'claim' then
  if not stored then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
  return stored or ''
end
-- The claim has expired, and another request has claimed the key.
if stored and stored ~= ARGV[2] then return '' end
if ARGV[1] == 'keep' then redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3]) else redis.call('DEL', KEYS[1]) end
return ''
`;

const redisKeyOf = (name: string): string => `limit:answer:${name}`;

const parseClaim = (reply: string): ClaimResult => {
  if (reply === '') return 'mine';
  return reply.startsWith(claimedPrefix) ? 'others' : { answer: reply.slice(answeredPrefix.length) };
};

export const createIdempotencyStore = (run: RunScript): IdempotencyStore => ({
  claim: async (name, by) => {
    const reply = await run([redisKeyOf(name)], ['claim', `${claimedPrefix}${by}`, String(claimMilliseconds)]);
    return reply === undefined ? undefined : parseClaim(String(reply));
  },
  complete: ({ name, by }, answer, milliseconds) =>
    run([redisKeyOf(name)], ['keep', `${claimedPrefix}${by}`, String(milliseconds), `${answeredPrefix}${answer}`]),
  release: ({ name, by }) => run([redisKeyOf(name)], ['drop', `${claimedPrefix}${by}`]),
});
