/**
 * Answers to requests that may be asked again: the first who asks decides, and the others hear the same. A claim says that somebody
 * decides right now; of a process that ended in between it is over by itself, and the next who asks decides.
 */
import type { RunScript } from './asked';

/** `mine`: decide, then keep the answer or drop the claim. `others`: somebody decides it right now. */
export type Claimed = 'mine' | 'others' | { readonly answer: string };

/** As the store: undefined when it cannot be asked. */
export interface KeptAnswers {
  /** `by`: a name that nobody else gives. */
  readonly claim: (name: string, by: string) => Promise<Claimed | undefined>;
  readonly keep: (claim: OwnClaim, answer: string, milliseconds: number) => Promise<unknown>;
  readonly drop: (claim: OwnClaim) => Promise<unknown>;
}

export interface OwnClaim {
  readonly name: string;
  readonly by: string;
}

/** Longer than any decision takes. */
const claimMilliseconds = 5_000;

/** What stands under a name is a claim with its owner, or an answer. */
const [claimed, answered] = ['?', '='];

/** KEYS: the request. ARGV: `claim`, the claim, for how many ms; `keep`, the claim, for how many ms, the answer; or `drop`, the claim. */
export const keptAnswersScript = `
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

const keyOf = (name: string): string => `limit:answer:${name}`;

const claimedIn = (said: string): Claimed => {
  if (said === '') return 'mine';
  return said.startsWith(claimed) ? 'others' : { answer: said.slice(answered.length) };
};

export const keptAnswers = (run: RunScript): KeptAnswers => ({
  claim: async (name, by) => {
    const said = await run([keyOf(name)], ['claim', `${claimed}${by}`, String(claimMilliseconds)]);
    return said === undefined ? undefined : claimedIn(String(said));
  },
  keep: ({ name, by }, answer, milliseconds) =>
    run([keyOf(name)], ['keep', `${claimed}${by}`, String(milliseconds), `${answered}${answer}`]),
  drop: ({ name, by }) => run([keyOf(name)], ['drop', `${claimed}${by}`]),
});
