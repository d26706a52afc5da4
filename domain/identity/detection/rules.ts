/** Rules of detection: pure functions over a state and an authorization decision. */
import type { AuthEvent } from '../protocol/auth-event';
import type { Severity } from '../protocol/severity';
import { addressPrefixOf, isSameFamily } from './address-prefix';
import { counted, estimate, type RecentValues, type SlidingCount, withValue } from './counting';
import type { ExpectedRuntime } from './policy/events';
import { type DetectionRuleName, maxDistinct, type RuleSettings } from './rule-names';

/** A decision about a token with a valid signature. */
export interface AttributedDecision extends AuthEvent {
  readonly tenantId: string;
  readonly principalId: string;
  readonly jti: string;
}

export interface RuleContext {
  readonly settings: RuleSettings;
  /** When it was decided; milliseconds since 1970. */
  readonly at: number;
  readonly runtimes: readonly ExpectedRuntime[];
}

export interface Step<State> {
  readonly state: State;
  /** How many were counted; undefined: no alert. */
  readonly found?: number;
}

export interface DetectionRule<State> {
  readonly severity: Severity | ((event: AttributedDecision) => Severity);
  /** What the state is of, within the tenant; undefined: the decision does not concern the rule. */
  readonly keyOf: (event: AttributedDecision, context: RuleContext) => string | undefined;
  readonly next: (state: State | undefined, event: AttributedDecision, context: RuleContext) => Step<State>;
  /** Whether keys are of all tenants. */
  readonly isGlobal?: true;
}

const found = <State>(state: State, count: number, { settings: { threshold } }: RuleContext): Step<State> =>
  count >= threshold ? { state, found: Math.floor(count) } : { state };

/** Counts the decisions that concern it. */
const counting = (
  severity: DetectionRule<SlidingCount>['severity'],
  keyOf: DetectionRule<SlidingCount>['keyOf'],
): DetectionRule<SlidingCount> => ({
  severity,
  keyOf,
  next: (state, _event, context) => {
    const { at } = context;
    const { windowSeconds } = context.settings;
    const next = counted(state, at, windowSeconds * 1_000);
    return found(next, estimate(next, at, windowSeconds * 1_000), context);
  },
});

/** Counts different values. */
const comparing = (
  severity: DetectionRule<RecentValues>['severity'],
  keyOf: DetectionRule<RecentValues>['keyOf'],
  comparedOf: (event: AttributedDecision) => string,
): DetectionRule<RecentValues> => ({
  severity,
  keyOf,
  next: (state, event, context) => {
    const { at } = context;
    const { windowSeconds } = context.settings;
    const next = withValue(state, comparedOf(event), {
      at,
      windowMilliseconds: windowSeconds * 1_000,
      most: maxDistinct,
    });
    return found(next, next.length, context);
  },
});

const isDenied =
  (...reasons: readonly string[]) =>
  ({ result, reason }: AttributedDecision): boolean =>
    result === 'DENY' && reason !== undefined && reasons.includes(reason);

const isAgent = ({ principalType }: AttributedDecision): boolean => principalType === 'AI_AGENT';
const isPipeline = ({ principalType }: AttributedDecision): boolean => principalType === 'PIPELINE';
const isPerson = ({ principalType }: AttributedDecision): boolean => principalType === 'HUMAN';

const prefixOf = ({ sourceIp }: AttributedDecision): string | undefined =>
  sourceIp === undefined ? undefined : addressPrefixOf(sourceIp);

const ofPrincipalIf =
  (concerns: (event: AttributedDecision) => boolean) =>
  (event: AttributedDecision): string | undefined =>
    concerns(event) ? event.principalId : undefined;

/** A pipeline's token elsewhere is SEV-2 (specification section 6). */
const gravestOfPipelines = (event: AttributedDecision): Severity => (isPipeline(event) ? 'SEV-2' : 'SEV-3');

/** Presented without its key. */
const isWithoutKey = isDenied('sender_mismatch', 'invalid_proof');
const isStepUp = ({ result, reason = '' }: AttributedDecision): boolean =>
  result === 'DENY' && /^(step_up|approval|capability)_/.test(reason);

/** The rate of a principal, and what it usually is. */
interface UsualRate extends SlidingCount {
  /** Of a window; null: not known yet. */
  readonly usual: number | null;
}

/** How many times the usual rate is one that is not. */
const unusualFactor = 10;
/** Weight of the latest window in what is usual. */
const learningRate = 0.2;

const rateAnomaly: DetectionRule<UsualRate> = {
  severity: 'SEV-3',
  keyOf: ({ principalId }) => principalId,
  next: (state, _event, context) => {
    const { at } = context;
    const { windowSeconds, threshold } = context.settings;
    const milliseconds = windowSeconds * 1_000;
    const next = counted(state, at, milliseconds);
    const before = state?.usual ?? null;
    const ended = next.from === state?.from ? undefined : state?.count;
    const usual =
      ended === undefined || before === null ? (before ?? ended ?? null) : before + learningRate * (ended - before);
    const count = estimate(next, at, milliseconds);
    const remembered = { ...next, usual };
    return count >= Math.max(threshold, unusualFactor * (usual ?? 0))
      ? { state: remembered, found: Math.floor(count) }
      : { state: remembered };
  },
};

/** The first addresses of a person are learned. */
const newAddress: DetectionRule<RecentValues> = {
  severity: 'SEV-3',
  keyOf: (event) =>
    isPerson(event) && event.result === 'ALLOW' && prefixOf(event) !== undefined ? event.principalId : undefined,
  next: (state, event, { at }) => {
    const prefix = prefixOf(event) as string;
    const remembered = withValue(state, prefix, { at, windowMilliseconds: knownMilliseconds, most: maxKnown });
    const isNew = state !== undefined && !state.some(([known]) => known === prefix);
    return isNew ? { state: remembered, found: 1 } : { state: remembered };
  },
};
const knownMilliseconds = 90 * 86_400_000;
const maxKnown = 16;

interface Travel {
  readonly prefix: string;
  /** When the address changed. */
  readonly changes: readonly number[];
}

/** Back and forth between networks, faster than a person moves, with a token that can change things. */
const impossibleTravel: DetectionRule<Travel> = {
  severity: 'SEV-2',
  keyOf: (event) =>
    isPerson(event) &&
    event.result === 'ALLOW' &&
    event.scopes.some((scope) => scope.endsWith(':write')) &&
    prefixOf(event) !== undefined
      ? event.principalId
      : undefined,
  next: (state, event, context) => {
    const prefix = prefixOf(event) as string;
    if (state === undefined) return { state: { prefix, changes: [] } };
    if (state.prefix === prefix || !isSameFamily(state.prefix, prefix)) return { state };
    const { at } = context;
    const { windowSeconds } = context.settings;
    const changes = [...state.changes.filter((one) => one > at - windowSeconds * 1_000), at].slice(-maxDistinct);
    return found({ prefix, changes }, changes.length, context);
  },
};

/** The value, or what is below it by whole segments of a path or subject. */
const isWithin = (value: string | undefined, expected: string): boolean =>
  value !== undefined && (value === expected || value.startsWith(`${expected}/`) || value.startsWith(`${expected}:`));

const isExpected = ({ workloadId, clusterId }: AttributedDecision, { workloads, clusters }: ExpectedRuntime): boolean =>
  (workloads.length === 0 || workloads.some((one) => isWithin(workloadId, one))) &&
  (clusters.length === 0 || clusters.some((one) => isWithin(clusterId, one)));

/** Concerns principals whose runtimes the tenant names. */
const unexpectedRuntime = counting('SEV-2', (event, { runtimes }) => {
  const expected = runtimes.filter(({ principalId }) => principalId === event.principalId);
  return expected.length === 0 || expected.some((one) => isExpected(event, one)) ? undefined : event.principalId;
});

/** Ids of tokens and principals may be long; states are many. */
const shortened = (value: string): string => value.slice(0, 64);

interface SeenTenants {
  readonly tenants: readonly string[];
  readonly count: number;
}

/** A token is of one tenant: one that is decided about in two, or a refusal for that reason, shows that the separation failed. */
const crossTenant: DetectionRule<SeenTenants> = {
  severity: 'SEV-1',
  isGlobal: true,
  keyOf: ({ jti }) => shortened(jti),
  next: (state = { tenants: [], count: 0 }, event, context) => {
    const tenants = state.tenants.includes(event.tenantId)
      ? state.tenants
      : [...state.tenants, event.tenantId].slice(-2);
    if (tenants.length < 2 && !isDenied('cross_tenant')(event)) return { state: { ...state, tenants } };
    const count = state.count + 1;
    return found({ tenants, count }, count, context);
  },
};

/** What a rule remembers is its own: others only store it. */
const opaque = <State>(rule: DetectionRule<State>): DetectionRule<unknown> => rule as DetectionRule<unknown>;

/** Each decision passes all of them. */
export const detectionRules: { readonly [rule in DetectionRuleName]: DetectionRule<unknown> } = {
  'sender-binding-mismatch': opaque(counting(gravestOfPipelines, ofPrincipalIf(isWithoutKey))),
  'token-replay': opaque(
    comparing(
      gravestOfPipelines,
      (event) => (prefixOf(event) === undefined ? undefined : shortened(event.jti)),
      (event) => prefixOf(event) ?? '',
    ),
  ),
  'large-scale-replay': opaque(
    comparing(
      'SEV-1',
      (event) => (isWithoutKey(event) ? 'tenant' : undefined),
      ({ principalId }) => shortened(principalId),
    ),
  ),
  'rate-anomaly': opaque(rateAnomaly),
  'new-address': opaque(newAddress),
  'impossible-travel': opaque(impossibleTravel),
  'unexpected-runtime': opaque(unexpectedRuntime),
  'tool-outside-allowlist': opaque(
    counting(
      'SEV-3',
      ofPrincipalIf((event) => isAgent(event) && isDenied('wrong_audience', 'policy')(event)),
    ),
  ),
  'approval-bypass': opaque(
    counting(
      'SEV-2',
      ofPrincipalIf((event) => isAgent(event) && isStepUp(event)),
    ),
  ),
  'scope-escalation': opaque(counting('SEV-3', ofPrincipalIf(isDenied('insufficient_scope')))),
  'call-after-task-end': opaque(
    counting(
      'SEV-3',
      ofPrincipalIf((event) => isAgent(event) && isDenied('token_expired', 'revoked', 'token_revoked')(event)),
    ),
  ),
  'repeated-denial': opaque(
    counting(
      'SEV-3',
      ofPrincipalIf(({ result }) => result === 'DENY'),
    ),
  ),
  'cross-tenant': opaque(crossTenant),
};
