/**
 * Answers to requests that may be asked again: the first who asks decides, and the others hear the same. A claim says that somebody
 * decides right now; of a process that ended in between it is over by itself, and the next who asks decides.
 */
import type { RunScript } from '../store/limit-charge';

/** `mine`: decide, then keep the answer or drop the claim. `others`: somebody decides it right now. */
export type ClaimResult = 'mine' | 'others' | { readonly answer: string };

/** As the store: undefined when it cannot be asked. */
export interface IdempotencyStore {
  /** `by`: a name that nobody else gives. */
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

/** What stands under a name is a claim with its owner, or an answer. */
const [claimedPrefix, answeredPrefix] = ['?', '='];

/** KEYS: the request. ARGV: `claim`, the claim, for how many ms; `keep`, the claim, for how many ms, the answer; or `drop`, the claim. */
export const idempotencyScript = `
local kept = redis.call('GET', KEYS[1])
if ARGV[1] == 'claim' then
  if not kept then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
  return kept or ''
end
-- The claim was over, and somebody else has made one.
if kept and kept ~= ARGV[2] then return '' end
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
