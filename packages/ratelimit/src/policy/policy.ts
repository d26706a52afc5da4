/**
 * Policy types (JSON): which rules apply to which requests, and which requests are always allowed or blocked. A block
 * denies a request; otherwise an entry of the allow list admits it; otherwise the rules of its plan apply (`defaults`
 * without a plan), where a rule of a matching override replaces the rule of the same name. All applicable rules are
 * decided together, and the most restrictive one determines the answer.
 */
import type { Dimension } from './dimensions';
import { type Entries, mapEntries } from './entries';
import type {
  Concurrency,
  FixedWindow,
  LeakyBucket,
  SlidingCounter,
  SlidingLog,
  Strictness,
  TokenBucket,
} from './limit';

/** Each named dimension must have one of the values; `10.0.0.0/8` matches addresses, `gpt-*` a prefix. */
export type Match = { readonly [name in Dimension]?: readonly string[] };

/** Requests count by group rather than by target, so that ids and queries create no keys. */
export interface RouteGroup {
  readonly name: string;
  /** Any method by default. */
  readonly methods?: readonly string[];
  /** `*` matches one segment, a final `**` the rest. The first matching group wins. */
  readonly paths: readonly string[];
}

export interface CalendarQuota {
  readonly algorithm: 'quota';
  readonly limit: number;
  readonly per: 'day' | 'month';
  /** IANA name; by default the tenant's, else UTC. */
  readonly timeZone?: string;
}

type WithoutName<L> = L extends unknown ? Omit<L, 'name'> : never;

export type RuleLimit =
  | WithoutName<TokenBucket | FixedWindow | SlidingLog | SlidingCounter | LeakyBucket | Concurrency>
  | CalendarQuota;

/** The counted unit, which callers see. */
export type Unit = 'requests' | 'bytes' | 'tokens' | 'input-tokens' | 'output-tokens' | 'concurrent-requests';

export interface Cost {
  readonly unit: Unit;
  /** Cost of one request by route group, 1 for others; for `requests` only. */
  readonly byRoute?: { readonly [routeGroup: string]: number };
  /** Units per counted one, rounded up; 1 by default. For `bytes` and tokens. */
  readonly per?: number;
  /** Factor per model in thousandths; 1,000 for others. */
  readonly byModel?: { readonly [model: string]: number };
  /** Additional cost per use of a tool. */
  readonly byTool?: { readonly [tool: string]: number };
  /** Cost of 1,000 cached input tokens; 1,000 by default. */
  readonly cachedInput?: number;
  /** Reserved output of requests without a maximum, by model or `default`. */
  readonly outputWhenUnknown?: { readonly [model: string]: number };
}

/** While the store is unavailable: deny, allow, or admit this share of the limit, divided among the processes. */
export type OnStoreError = 'deny' | 'allow' | { readonly local: number };

export interface Rule {
  /** Unique among rules that apply together; callers never see it. */
  readonly name: string;
  /** One limit per combination of values; empty: one limit for all. */
  readonly by: readonly Dimension[];
  /** Requests it applies to; all by default. */
  readonly when?: Match;
  readonly limit: RuleLimit;
  /** One per request by default. */
  readonly cost?: Cost;
  /** `hard` by default; `watched` is a dry run: counted but never enforced. */
  readonly strictness?: Strictness;
  /** Advice to requests over a soft limit. */
  readonly hint?: string;
  readonly onStoreError: OnStoreError;
  /** Unsettled reservations: `keep` (the default) leaves them charged. */
  readonly orphan?: 'keep' | 'refund';
}

export const costOrDefault = ({ cost, limit }: Rule): Cost =>
  cost ?? { unit: limit.algorithm === 'concurrency' ? 'concurrent-requests' : 'requests' };

export interface Override {
  readonly match: Match;
  readonly rules: readonly Rule[];
}

export interface AllowEntry {
  readonly match: Match;
}

export interface Block {
  readonly match: Match;
  readonly message?: string;
}

export interface Policy {
  /** Reported with each decision. */
  readonly version: string;
  readonly routeGroups?: readonly RouteGroup[];
  readonly plans?: { readonly [plan: string]: readonly Rule[] };
  /** The plan for requests with an unknown plan, which otherwise are errors. */
  readonly unknownPlan?: string;
  readonly defaults: readonly Rule[];
  readonly overrides?: readonly Override[];
  readonly allow?: readonly AllowEntry[];
  readonly blocks?: readonly Block[];
}

/** A policy whose long lists are parsed on demand. */
export interface PolicySource extends Omit<Policy, 'overrides' | 'allow' | 'blocks'> {
  readonly overrides?: Entries<Override>;
  readonly allow?: Entries<AllowEntry>;
  readonly blocks?: Entries<Block>;
}

/** Maps all rules of a policy; those of overrides lazily. */
export const mapRules = (policy: PolicySource, change: (rule: Rule) => Rule): PolicySource => {
  const { defaults, plans, overrides } = policy;
  const planned = Object.entries(plans ?? {}).map(([name, rules]) => [name, rules.map(change)]);
  return {
    ...policy,
    defaults: defaults.map(change),
    ...(plans === undefined ? {} : { plans: Object.fromEntries(planned) }),
    ...(overrides === undefined
      ? {}
      : { overrides: mapEntries(overrides, ({ match, rules }) => ({ match, rules: rules.map(change) })) }),
  };
};

/** Makes all rules dry runs: usage is counted and nothing is denied. */
export const countOnly = (policy: PolicySource): PolicySource =>
  mapRules(policy, ({ hint: _hint, ...rule }) => ({ ...rule, strictness: 'watched' }));
