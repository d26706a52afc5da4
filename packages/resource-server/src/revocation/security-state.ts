/** Security state: all relevant revocations in memory, and their staleness. */

import { priorActorsOf } from '../access-token/claims';
import type { RevocableClaims, RevocationChecker, RevokedCode } from './revocation-checker';
import type { SecurityChange, SecurityKind, SecuritySignal } from './security-change';

export interface SecurityState extends RevocationChecker {
  readonly apply: (signal: SecuritySignal) => void;
  /** Log position up to which the state is complete; null: none yet, or an empty log. */
  readonly sequence: () => bigint | null;
  /** Changes after a position, oldest first; null: all. */
  readonly changesAfter: (sequence: bigint | null) => readonly SecurityChange[];
  readonly size: () => number;
}

type ChangesBySubject = Map<string, SecurityChange>;
type ChangesByKind = { readonly [kind in SecurityKind]: ChangesBySubject };

const pruneEveryMilliseconds = 60_000;

const emptyChanges = (): ChangesByKind => ({
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

const laterOf = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** Feeds repeat and reorder: the strictest change counts. */
const mergeChanges = (current: SecurityChange, received: SecurityChange): SecurityChange => ({
  ...current,
  minimum: Math.max(current.minimum, received.minimum),
  sequence: laterOf(current.sequence, received.sequence),
  at: Math.max(current.at, received.at),
  until: Math.max(current.until, received.until),
});

const isBelowMinimum = (changes: ChangesBySubject, subject: string, value: number): boolean => {
  const change = changes.get(subject);
  return change !== undefined && value < change.minimum;
};

const hasSubject = (changes: ChangesBySubject, subject: string | undefined): boolean =>
  subject !== undefined && changes.has(subject);

/** Of the principal, of the one at the beginning that it acts for, and of the agents between them. Without an epoch: of any age. */
const isOfEarlierEpoch = ({ epoch }: ChangesByKind, claims: RevocableClaims): boolean =>
  isBelowMinimum(epoch, claims.sub, claims.security_epoch) ||
  (claims.on_behalf_of !== undefined && isBelowMinimum(epoch, claims.on_behalf_of, claims.obo_epoch ?? 0)) ||
  priorActorsOf(claims).some(({ sub, security_epoch: before = 0 }) => isBelowMinimum(epoch, sub, before));

const isRevoked = (of: ChangesByKind, claims: RevocableClaims): boolean => {
  const { jti, gid, sid, client_id: clientId, iat } = claims;
  return (
    isBelowMinimum(of.tenantEpoch, '', iat * 1000) ||
    of.jti.has(jti) ||
    hasSubject(of.grant, gid) ||
    hasSubject(of.session, sid) ||
    priorActorsOf(claims).some((actor) => hasSubject(of.grant, actor.gid)) ||
    (clientId !== undefined && isBelowMinimum(of.client, clientId, iat * 1000))
  );
};

const revokedCodeFor = (
  current: { readonly ofTenant: ChangesByKind | undefined; readonly ofAll: ChangesByKind },
  claims: RevocableClaims,
  kid: string,
): RevokedCode | undefined => {
  const { ofTenant, ofAll } = current;
  if (ofTenant !== undefined && isOfEarlierEpoch(ofTenant, claims)) return 'token_revoked';
  if (ofAll.key.has(kid) || isBelowMinimum(ofAll.globalEpoch, '', claims.iat * 1000)) return 'revoked';
  return ofTenant !== undefined && isRevoked(ofTenant, claims) ? 'revoked' : undefined;
};

const allChanges = (tenants: ReadonlyMap<string, ChangesByKind>): SecurityChange[] =>
  [...tenants.values()].flatMap((of) => Object.values(of).flatMap((changes) => [...changes.values()]));

/** Drops tenants without changes, too. */
const pruneExpired = (tenants: Map<string, ChangesByKind>, now: number): void => {
  for (const [tenantId, of] of tenants) {
    let left = 0;
    for (const changes of Object.values(of)) {
      for (const [subject, { until }] of changes) if (until < now) changes.delete(subject);
      left += changes.size;
    }
    if (left === 0 && tenantId !== '') tenants.delete(tenantId);
  }
};

/** `ticks`: monotonic clock for staleness, independent of the system time. */
export const createSecurityState = (now: () => number = Date.now, ticks: () => number = now): SecurityState => {
  const ofAll = emptyChanges();
  const tenants = new Map<string, ChangesByKind>([['', ofAll]]);
  let receivedAt = Number.NEGATIVE_INFINITY;
  let current: bigint | null = null;
  let prunedAt = now();

  const keep = (change: SecurityChange): void => {
    const { tenantId, kind, subject, until } = change;
    if (until < now()) return;
    const of = tenants.get(tenantId) ?? emptyChanges();
    tenants.set(tenantId, of);
    const before = of[kind].get(subject);
    of[kind].set(subject, before === undefined ? change : mergeChanges(before, change));
  };
  const pruneInTime = (): void => {
    if (Math.abs(now() - prunedAt) < pruneEveryMilliseconds) return;
    prunedAt = now();
    pruneExpired(tenants, prunedAt);
  };
  return {
    apply: (signal) => {
      pruneInTime();
      if (signal.kind !== 'heartbeat') return keep(signal);
      receivedAt = ticks();
      if (signal.sequence !== null && (current === null || current < signal.sequence)) current = signal.sequence;
    },
    refusal: (claims, kid) => revokedCodeFor({ ofTenant: tenants.get(claims.tenant_id), ofAll }, claims, kid),
    stalenessMilliseconds: () => ticks() - receivedAt,
    sequence: () => current,
    changesAfter: (sequence) =>
      allChanges(tenants)
        .filter((change) => sequence === null || change.sequence > sequence)
        .sort((one, other) => (one.sequence < other.sequence ? -1 : 1)),
    size: () => allChanges(tenants).length,
  };
};
