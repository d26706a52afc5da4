/** All revocations that can still matter, in memory: whether a token is refused, and how old that knowledge is. */

import type { RevocableClaims, Revocations, RevokedCode } from '../verification/revocations';
import type { SecurityChange, SecurityKind, SecuritySignal } from './change';

export interface SecurityState extends Revocations {
  readonly apply: (signal: SecuritySignal) => void;
  /** Everything up to here is known; null before anything is, and of an empty log. */
  readonly sequence: () => bigint | null;
  /** What is remembered of later than that, the oldest first; all of it after null. */
  readonly changesAfter: (sequence: bigint | null) => readonly SecurityChange[];
  readonly size: () => number;
}

type Held = Map<string, SecurityChange>;
type OfOne = { readonly [kind in SecurityKind]: Held };

const pruneEveryMilliseconds = 60_000;

const nothing = (): OfOne => ({
  epoch: new Map(),
  tenantEpoch: new Map(),
  globalEpoch: new Map(),
  jti: new Map(),
  grant: new Map(),
  family: new Map(),
  client: new Map(),
  key: new Map(),
  session: new Map(),
});

const later = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** Feeds repeat and reorder: whatever comes last, the strictest of all that was said counts. */
const merged = (known: SecurityChange, heard: SecurityChange): SecurityChange => ({
  ...known,
  minimum: Math.max(known.minimum, heard.minimum),
  sequence: later(known.sequence, heard.sequence),
  at: Math.max(known.at, heard.at),
  until: Math.max(known.until, heard.until),
});

const isBelow = (held: Held, subject: string, value: number): boolean => {
  const change = held.get(subject);
  return change !== undefined && value < change.minimum;
};

const isNamed = (held: Held, subject: string | undefined): boolean => subject !== undefined && held.has(subject);

const isEnded = (of: OfOne, { jti, gid, sid, client_id: clientId, iat }: RevocableClaims): boolean =>
  isBelow(of.tenantEpoch, '', iat * 1000) ||
  of.jti.has(jti) ||
  isNamed(of.grant, gid) ||
  isNamed(of.session, sid) ||
  (clientId !== undefined && isBelow(of.client, clientId, iat * 1000));

const refusalBy = (
  known: { readonly ofTenant: OfOne | undefined; readonly ofAll: OfOne },
  claims: RevocableClaims,
  kid: string,
): RevokedCode | undefined => {
  const { ofTenant, ofAll } = known;
  if (ofTenant !== undefined && isBelow(ofTenant.epoch, claims.sub, claims.security_epoch)) return 'token_revoked';
  if (ofAll.key.has(kid) || isBelow(ofAll.globalEpoch, '', claims.iat * 1000)) return 'revoked';
  return ofTenant !== undefined && isEnded(ofTenant, claims) ? 'revoked' : undefined;
};

const allHeld = (tenants: ReadonlyMap<string, OfOne>): SecurityChange[] =>
  [...tenants.values()].flatMap((of) => Object.values(of).flatMap((held) => [...held.values()]));

/** Tenants of which nothing is held any longer go, too, or their names would pile up. */
const prune = (tenants: Map<string, OfOne>, now: number): void => {
  for (const [tenantId, of] of tenants) {
    let left = 0;
    for (const held of Object.values(of)) {
      for (const [subject, { until }] of held) if (until < now) held.delete(subject);
      left += held.size;
    }
    if (left === 0 && tenantId !== '') tenants.delete(tenantId);
  }
};

/** `ticks` measures how long nothing was heard: a clock that is set must not make old knowledge young. */
export const securityState = (now: () => number = Date.now, ticks: () => number = now): SecurityState => {
  const ofAll = nothing();
  const tenants = new Map<string, OfOne>([['', ofAll]]);
  let heardAt = Number.NEGATIVE_INFINITY;
  let known: bigint | null = null;
  let prunedAt = now();

  const keep = (change: SecurityChange): void => {
    const { tenantId, kind, subject, until } = change;
    if (until < now()) return;
    const of = tenants.get(tenantId) ?? nothing();
    tenants.set(tenantId, of);
    const before = of[kind].get(subject);
    of[kind].set(subject, before === undefined ? change : merged(before, change));
  };
  const pruneInTime = (): void => {
    if (Math.abs(now() - prunedAt) < pruneEveryMilliseconds) return;
    prunedAt = now();
    prune(tenants, prunedAt);
  };
  return {
    apply: (signal) => {
      pruneInTime();
      if (signal.kind !== 'heartbeat') return keep(signal);
      heardAt = ticks();
      if (signal.sequence !== null && (known === null || known < signal.sequence)) known = signal.sequence;
    },
    refusal: (claims, kid) => refusalBy({ ofTenant: tenants.get(claims.tenant_id), ofAll }, claims, kid),
    stalenessMilliseconds: () => ticks() - heardAt,
    sequence: () => known,
    changesAfter: (sequence) =>
      allHeld(tenants)
        .filter((change) => sequence === null || change.sequence > sequence)
        .sort((one, other) => (one.sequence < other.sequence ? -1 : 1)),
    size: () => allHeld(tenants).length,
  };
};
