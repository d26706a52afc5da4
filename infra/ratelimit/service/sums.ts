/** Decisions of one span of time, summed up by whose they were and what became of them. */
import type { Decision } from '../../../packages/ratelimit/src/index';
import { estimateSourceOf } from '../../../packages/ratelimit/src/server';
import type { About } from './deciding';

export interface DecisionSum {
  /** Null: of tenants for which there was no more room. */
  readonly tenant: string | null;
  readonly outcome: Decision['outcome'];
  readonly reason: Decision['reason'] | null;
  readonly source: Decision['source'];
  readonly policy: string;
  /** Names of the rules that were over, and of those that are only watched. */
  readonly over: readonly string[];
  readonly watched: readonly string[];
  readonly decisions: number;
  readonly requests: number;
  readonly bytes: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Decisions about requests whose output the policy estimated, for they named no maximum. */
  readonly estimated: number;
}

/** What a second may hold, so that no entry of the stream is beyond all bounds. */
const mostSums = 1_000;

type Kind = Omit<DecisionSum, 'decisions' | 'requests' | 'bytes' | 'inputTokens' | 'outputTokens' | 'estimated'>;

const kindOf = ({ outcome, reason, source, policyVersion, limits }: Decision, tenant: string | null): Kind => {
  const over = limits.filter((limit) => limit.over);
  const named = (watched: boolean): readonly string[] =>
    over.filter((limit) => limit.watched === watched).map(({ rule }) => rule);
  const why = { outcome, reason: reason ?? null, source, policy: policyVersion };
  return { tenant, ...why, over: named(false), watched: named(true) };
};

const withMore = (sum: DecisionSum, { weight = {} }: About['request']): DecisionSum => ({
  ...sum,
  decisions: sum.decisions + 1,
  requests: sum.requests + (weight.requests ?? 1),
  bytes: sum.bytes + (weight.bytes ?? 0),
  inputTokens: sum.inputTokens + (weight.inputTokens ?? 0),
  outputTokens: sum.outputTokens + (weight.outputTokens ?? 0),
  estimated: sum.estimated + (estimateSourceOf(weight) === 'policy' ? 1 : 0),
});

const none = { decisions: 0, requests: 0, bytes: 0, inputTokens: 0, outputTokens: 0, estimated: 0 };

export const openSums = () => {
  let sums = new Map<string, DecisionSum>();
  const added = (key: string, kind: Kind, request: About['request']): void => {
    sums.set(key, withMore(sums.get(key) ?? { ...kind, ...none }, request));
  };
  return {
    decided: (decision: Decision, { request }: About): void => {
      const kind = kindOf(decision, request.dimensions.tenant ?? null);
      const key = JSON.stringify(kind);
      const fits = sums.size < mostSums || sums.has(key);
      const counted: Kind = fits ? kind : { ...kind, tenant: null, over: [], watched: [] };
      added(fits ? key : JSON.stringify(counted), counted, request);
    },
    /** What there is, and begins anew. */
    taken: (): readonly DecisionSum[] => {
      const all = [...sums.values()];
      sums = new Map();
      return all;
    },
  };
};
