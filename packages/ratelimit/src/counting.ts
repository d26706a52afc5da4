/**
 * Has limits counted: by the store; with what is known for good of a quota that the store has lost; or by what each rule says of a
 * store that cannot be asked.
 */

import type { Asked, Decided, Mode } from './asked';
import type { Candidate } from './candidates';
import { openOrder } from './refusal-order';
import type { CompiledRule } from './rules';
import type { LimitStore, LocalLimits, QuotaCounts } from './store';

export interface Counters {
  readonly store: LimitStore;
  readonly local: LocalLimits;
  /** Left out, a quota is what the store remembers of it. */
  readonly counts?: QuotaCounts;
  readonly processes: () => number;
}

export interface Question {
  readonly id: string;
  readonly modeOf: (candidates: readonly Candidate[]) => Mode;
  readonly candidates: readonly Candidate[];
}

/** `unavailable`: a rule closes; `uncounted`: all that could not be counted is open. */
export type Counted =
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'uncounted' }
  | {
      readonly kind: 'counted';
      readonly source: 'store' | 'local';
      readonly decided: Decided;
      readonly candidates: readonly Candidate[];
      readonly mode: Mode;
    };

const askedOf = (candidates: readonly Candidate[]): readonly Asked[] => candidates.map(({ asked }) => asked);

/** What only degrades or is only watched refuses nobody, least of all when it is not counted. */
const closes = ({ rule }: Candidate): boolean => rule.strictness === 'hard' && rule.rule.onStoreError === 'deny';

const isLocal = ({ rule }: Candidate): boolean => typeof rule.rule.onStoreError !== 'string';

const shareOf = ({ rule: { onStoreError } }: CompiledRule): number =>
  typeof onStoreError === 'string' ? 0 : onStoreError.local;

const countAlone = ({ local, processes }: Counters, { id, modeOf, candidates }: Question): Counted => {
  if (candidates.some(closes)) return { kind: 'unavailable' };
  const among = Math.max(1, processes());
  const left = candidates.filter(isLocal);
  if (left.length === 0) return { kind: 'uncounted' };
  const asked = left.map(({ rule, asked }) => ({
    ...asked,
    counted: asked.counted ?? 0,
    share: shareOf(rule) / among,
  }));
  const mode = modeOf(left);
  return { kind: 'counted', source: 'local', decided: local.decide(mode, id, asked), candidates: left, mode };
};

/** Undefined: what has been used of a quota is to be said. */
const countInStore = async (counters: Counters, question: Question): Promise<Counted | undefined> => {
  const { id, modeOf, candidates } = question;
  const mode = modeOf(candidates);
  const asked = askedOf(candidates);
  const decided = await counters.store.decide(mode, id, asked);
  if (decided === undefined) return countAlone(counters, question);
  if (decided.outcome === 'uncounted') return undefined;
  if (candidates.some(isLocal)) counters.local.heard(asked, decided);
  return { kind: 'counted', source: 'store', decided, candidates, mode };
};

/** Each with the count of its period; those of which it is not known are apart. */
const seeded = async (
  candidates: readonly Candidate[],
  counts: QuotaCounts | undefined,
): Promise<readonly [known: readonly Candidate[], unknown: readonly Candidate[]]> => {
  const all = await Promise.all(
    candidates.map(async (candidate) => {
      const { quota, asked } = candidate;
      if (quota === undefined) return { candidate, isKnown: true };
      const counted = counts === undefined ? 0 : await counts.of(quota);
      if (counted === undefined) return { candidate, isKnown: false };
      return { candidate: { ...candidate, asked: { ...asked, counted } }, isKnown: true };
    }),
  );
  const those = (isKnown: boolean) => all.filter((one) => one.isKnown === isKnown).map(({ candidate }) => candidate);
  return [those(true), those(false)];
};

/** A reservation is in one place, and that is where the others are: what is counted apart from them stays taken. */
const notReserving = ({ modeOf }: Question): Question['modeOf'] => {
  return (candidates) => (modeOf(candidates) === 'peek' ? 'peek' : 'take');
};

const countWithQuotas = async (counters: Counters, question: Question): Promise<Counted> => {
  const [known, unknown] = await seeded(question.candidates, counters.counts);
  const left = known.length === 0 ? question : { ...question, modeOf: notReserving(question) };
  const alone = unknown.length === 0 ? undefined : countAlone(counters, { ...left, candidates: unknown });
  if (alone?.kind === 'unavailable') return alone;
  if (alone?.kind === 'counted' && alone.decided.outcome !== 'admitted') return alone;
  if (known.length === 0) return alone ?? { kind: 'uncounted' };
  const counted = await countInStore(counters, { ...question, candidates: known });
  // What was just given cannot be asked for again, unless the store lost that it had some.
  return counted ?? countAlone(counters, { ...question, candidates: known });
};

/** Whatever was used of quotas is told to those who keep it for good. */
const tellQuotas = ({ counts }: Counters, counted: Counted): void => {
  if (counts === undefined || counted.kind !== 'counted') return;
  const { decided, candidates, mode } = counted;
  if (mode === 'peek' || decided.outcome !== 'admitted') return;
  candidates.forEach(({ quota, asked }, index) => {
    if (quota !== undefined && asked.cost > 0 && decided.limits[index]?.over === false) counts.used(quota, asked.cost);
  });
};

export interface Counting {
  /** In which they are to be asked. */
  readonly sorted: (candidates: readonly Candidate[]) => readonly Candidate[];
  readonly count: (question: Question) => Promise<Counted>;
}

export const openCounting = (counters: Counters): Counting => {
  const order = openOrder();
  const count = async (question: Question): Promise<Counted> => {
    const counted = (await countInStore(counters, question)) ?? (await countWithQuotas(counters, question));
    if (counted.kind === 'counted') order.heard(counted.candidates, counted.decided);
    tellQuotas(counters, counted);
    return counted;
  };
  return { sorted: order.sorted, count };
};
