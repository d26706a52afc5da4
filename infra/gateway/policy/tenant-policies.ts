/**
 * The policies of all tenants, in memory, from the log. A subscription brings changes at once; reading to the head of the log proves that none was
 * missed. While the log is away, the last versions stay in force.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import type { PolicyDocument } from '../../../domain/identity/policy/document';
import { type CompiledPolicy, compilePolicy, type PolicyDecision } from '../../../domain/identity/policy/evaluator';
import { accessPolicies } from '../../../domain/identity/policy/events';
import { parseStreamName } from '../../../domain/kernel/ids';
import type { EventStore, StoredEvent } from '../../ports/event-store';
import type { Log } from '../../ports/runtime/log';
import { trackOutage } from '../../server/runtime/outage';

export interface VersionedPolicy {
  readonly version: number;
  readonly policy: CompiledPolicy;
}

export interface VersionedDecision extends PolicyDecision {
  /** Of the policy that decided. */
  readonly version: number;
}

export interface TenantPolicy {
  readonly enforced: VersionedPolicy | undefined;
  readonly shadow: VersionedPolicy | undefined;
}

export interface TenantPolicies {
  /** Undefined: the tenant has no policy. */
  readonly of: (tenantId: string) => TenantPolicy | undefined;
  /** False before the log was read to its head once. */
  readonly isLoaded: () => boolean;
  /** Since the policies were last known to be those of the log. */
  readonly stalenessMilliseconds: () => number;
}

const deciding = ['Shadowed', 'ShadowEnded', 'Enforced', 'TurnedOff'];
const policyEvents = { types: deciding.map((word) => `identity.AccessPolicy${word}.`) };

interface PolicyState extends TenantPolicies {
  readonly apply: (stored: StoredEvent) => void;
  readonly provenAt: (ticks: number) => void;
}

const none: TenantPolicy = { enforced: undefined, shadow: undefined };

const compiled = ({ version, document }: { version: number; document: PolicyDocument }): VersionedPolicy => ({
  version,
  policy: compilePolicy(document),
});

/** Throws for an event that it cannot read: what is in force stays so. */
const applied = (before: TenantPolicy, stored: StoredEvent): TenantPolicy => {
  const decoded = accessPolicies.decode(stored.type, stored.data);
  if (isLeft(decoded)) throw new Error(`${stored.type} in ${stored.stream} cannot be read`);
  const event = decoded.right;
  switch (event.type) {
    case 'AccessPolicyDrafted':
      return before;
    case 'AccessPolicyShadowed':
      return { ...before, shadow: compiled(event.data) };
    case 'AccessPolicyShadowEnded':
      return { ...before, shadow: undefined };
    case 'AccessPolicyEnforced': {
      const { shadow } = before;
      return { enforced: compiled(event.data), shadow: shadow?.version === event.data.version ? undefined : shadow };
    }
    case 'AccessPolicyTurnedOff':
      return { ...before, enforced: undefined };
  }
};

/** `ticks`: a monotonic clock. */
const createPolicyState = (ticks: () => number): PolicyState => {
  const byTenant = new Map<string, { readonly policy: TenantPolicy; readonly position: bigint }>();
  let provenAt = Number.NEGATIVE_INFINITY;
  return {
    of: (tenantId) => byTenant.get(tenantId)?.policy,
    isLoaded: () => Number.isFinite(provenAt),
    stalenessMilliseconds: () => ticks() - provenAt,
    apply: (stored) => {
      const tenantId = parseStreamName(stored.stream)?.tenant;
      if (tenantId === undefined) return;
      const known = byTenant.get(tenantId);
      // The subscription and the reader bring the same events.
      if (known !== undefined && stored.position <= known.position) return;
      byTenant.set(tenantId, { policy: applied(known?.policy ?? none, stored), position: stored.position });
    },
    provenAt: (at) => {
      provenAt = at;
    },
  };
};

type PolicyLog = Pick<EventStore, 'head' | 'readAll' | 'subscribeAll'>;

export interface FollowPoliciesOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly ticks?: () => number;
  readonly pollMilliseconds?: number;
}

/** Runs until the signal aborts. */
export const followTenantPolicies = (store: PolicyLog, options: FollowPoliciesOptions): TenantPolicies => {
  const { log, signal, ticks = () => performance.now(), pollMilliseconds = 1_000 } = options;
  const state = createPolicyState(ticks);
  let after: bigint | null = null;
  const readToHead = async (): Promise<void> => {
    const begun = ticks();
    const head = await store.head();
    if (isLeft(head)) throw new Error(head.left.detail);
    if (head.right !== after)
      for await (const stored of store.readAll({ after, filter: policyEvents })) state.apply(stored);
    after = head.right;
    state.provenAt(begun);
  };
  const subscribe = async (): Promise<void> => {
    for await (const received of store.subscribeAll({ after, filter: policyEvents, signal }))
      if (received.kind === 'event') state.apply(received.event);
  };
  const repeat = async (once: () => Promise<void>, failing: string): Promise<void> => {
    const outage = trackOutage(log, { failing, recovered: 'policies are followed again' });
    while (!signal.aborted) {
      try {
        await once();
        outage.recovered();
      } catch (error) {
        outage.failed({ error });
      }
      await sleep(pollMilliseconds, undefined, { signal }).catch(() => undefined);
    }
    outage.end();
  };
  void repeat(readToHead, 'policies cannot be read from the log; the last ones stay in force');
  void repeat(subscribe, 'the subscription to policies failed; they are read from the log');
  return state;
};
