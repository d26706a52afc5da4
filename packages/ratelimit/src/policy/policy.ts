/**
 * What a limiter enforces, as people write it (JSON): which rules hold for whom, and who is let through or kept out.
 *
 * For a request: a block refuses it; else an entry of the allow list lets it pass; else the rules of its plan (of `defaults` where it
 * has none) hold, in which a rule of a matching override takes the place of the one of its name. All rules that apply are decided
 * together, and the most restrictive one is what is answered.
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

/** Every dimension that is named must have one of its values; `10.0.0.0/8` matches addresses, `gpt-*` what begins so. */
export type Match = { readonly [name in Dimension]?: readonly string[] };

/** Requests are known by these rather than by their targets: ids and queries make no keys. */
export interface RouteGroup {
  readonly name: string;
  /** Any when left out. */
  readonly methods?: readonly string[];
  /** `*` is one segment; `**` at the end is the rest. The first group that fits counts. */
  readonly paths: readonly string[];
}

export interface CalendarQuota {
  readonly algorithm: 'quota';
  readonly limit: number;
  readonly per: 'day' | 'month';
  /** IANA name; the tenant's when left out, or else UTC. */
  readonly timeZone?: string;
}

type WithoutName<L> = L extends unknown ? Omit<L, 'name'> : never;

export type RuleLimit =
  | WithoutName<TokenBucket | FixedWindow | SlidingLog | SlidingCounter | LeakyBucket | Concurrency>
  | CalendarQuota;

/** What is counted, and the unit that callers are shown. */
export type Unit = 'requests' | 'bytes' | 'tokens' | 'input-tokens' | 'output-tokens' | 'concurrent-requests';

export interface Cost {
  readonly unit: Unit;
  /** What one request costs, by route group; 1 for others. Of `requests` alone. */
  readonly byRoute?: { readonly [routeGroup: string]: number };
  /** How many of the unit make one that is counted, begun ones count; 1 when left out. Of `bytes` and tokens. */
  readonly per?: number;
  /** Tokens of a model count so many times, in thousandths; 1,000 for others. */
  readonly byModel?: { readonly [model: string]: number };
  /** What each use of a tool costs besides, in the unit. */
  readonly byTool?: { readonly [tool: string]: number };
  /** Of 1,000 input tokens that the model's cache held, so many count; 1,000 when left out. */
  readonly cachedInput?: number;
  /** Output that is reserved for a request that names no maximum; by model, or `default`. */
  readonly outputWhenUnknown?: { readonly [model: string]: number };
}

/** When the store cannot be asked: refuse, let pass, or let this share of the limit pass, divided among the processes. */
export type OnStoreError = 'deny' | 'allow' | { readonly local: number };

export interface Rule {
  /** Unique among the rules that apply at once; never shown to callers. */
  readonly name: string;
  /** Each combination of their values has a limit of its own; none: one limit for all. */
  readonly by: readonly Dimension[];
  /** Where it applies; everywhere when left out. */
  readonly when?: Match;
  readonly limit: RuleLimit;
  /** One per request when left out. */
  readonly cost?: Cost;
  /** `hard` when left out; `watched` is a dry run: noted, never felt. */
  readonly strictness?: Strictness;
  /** What a request over a soft limit is told to do instead. */
  readonly hint?: string;
  readonly onStoreError: OnStoreError;
  /** What becomes of a reservation that nobody settles; `keep` when left out: it stays charged. */
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
  /** Each decision names it. */
  readonly version: string;
  readonly routeGroups?: readonly RouteGroup[];
  readonly plans?: { readonly [plan: string]: readonly Rule[] };
  /** The plan, of these, of requests that name one which is not among them; left out, that is an error. */
  readonly unknownPlan?: string;
  readonly defaults: readonly Rule[];
  readonly overrides?: readonly Override[];
  readonly allow?: readonly AllowEntry[];
  readonly blocks?: readonly Block[];
}

/** A policy whose long lists need not be in memory as objects. */
export interface PolicySource extends Omit<Policy, 'overrides' | 'allow' | 'blocks'> {
  readonly overrides?: Entries<Override>;
  readonly allow?: Entries<AllowEntry>;
  readonly blocks?: Entries<Block>;
}

/** The same policy with all of its rules changed; those of overrides when they are read. */
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

/** What was used is counted whatever there is room for: nothing of it refuses. */
export const countOnly = (policy: PolicySource): PolicySource =>
  mapRules(policy, ({ hint: _hint, ...rule }) => ({ ...rule, strictness: 'watched' }));
