import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { SecurityChange, SecurityKind } from '../../../../infra/ports/identity/security-state';
import { deniedUntil, maxTokenMilliseconds, retainSince } from '../../../../infra/server/security-state/retention';
import type { RevocableClaims } from '../../../../packages/resource-server/src/revocation/revocation-checker';
import { createSecurityState } from '../../../../packages/resource-server/src/revocation/security-state';
import { start } from './changes';

const kinds: readonly SecurityKind[] = ['epoch', 'tenantEpoch', 'globalEpoch', 'jti', 'grant', 'client', 'session'];
const floors = new Set<SecurityKind>(['tenantEpoch', 'globalEpoch', 'client']);
const withoutSubject = new Set<SecurityKind>(['tenantEpoch', 'globalEpoch']);
const acceptedAfterMilliseconds = 10_000;
const minutes = 60_000;

/** As the log records it: how long it is remembered follows from its kind. */
const changes: fc.Arbitrary<SecurityChange> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    tenantId: fc.constantFrom('acme', 'other'),
    subject: fc.constantFrom('1', '2'),
    number: fc.integer({ min: 1, max: 5 }),
    at: fc.integer({ min: -90, max: 90 }).map((minute) => start + minute * minutes),
    life: fc.integer({ min: 0, max: 60 }),
    sequence: fc.bigInt({ min: 1n, max: 99n }),
  })
  .map(({ kind, tenantId, subject, number, at, life, sequence }) => ({
    kind,
    tenantId: kind === 'globalEpoch' ? '' : tenantId,
    subject: withoutSubject.has(kind) ? '' : subject,
    minimum: floors.has(kind) ? at : kind === 'epoch' ? number : 0,
    sequence,
    at,
    until: kind === 'jti' ? deniedUntil(at + life * minutes) : retainSince(at),
  }));

interface Token {
  readonly claims: RevocableClaims;
  readonly exp: number;
}

const tokens: fc.Arbitrary<Token> = fc
  .record({
    tenant_id: fc.constantFrom('acme', 'other'),
    sub: fc.constantFrom('1', '2'),
    jti: fc.constantFrom('1', '2'),
    gid: fc.constantFrom('1', '2'),
    sid: fc.constantFrom('1', '2'),
    client_id: fc.constantFrom('1', '2'),
    security_epoch: fc.integer({ min: 1, max: 5 }),
    iat: fc.integer({ min: -90 * 60, max: 90 * 60 }).map((second) => start / 1000 + second),
    life: fc.integer({ min: 1, max: maxTokenMilliseconds / 1000 }),
  })
  .map(({ life, ...claims }) => ({ claims, exp: (claims.iat + life) * 1000 }));

/** The rule without any cache: every recorded change counts for ever. */
const revokes = ({ claims }: Token, { kind, tenantId, subject, minimum }: SecurityChange): boolean => {
  if (tenantId !== '' && tenantId !== claims.tenant_id) return false;
  const issuedBefore = claims.iat * 1000 < minimum;
  const named = { jti: claims.jti, grant: claims.gid, session: claims.sid } as { [kind: string]: string | undefined };
  if (kind === 'epoch') return subject === claims.sub && claims.security_epoch < minimum;
  if (kind === 'client') return subject === claims.client_id && issuedBefore;
  return floors.has(kind) ? issuedBefore : named[kind] === subject;
};

/**
 * A denial is of a token that ends at its `until`; a principal's token of an earlier epoch was issued before the bump.
 */
const isPossible = ({ claims, exp }: Token, applied: readonly SecurityChange[]): boolean =>
  applied.every((change) => {
    if (!revokes({ claims, exp }, change)) return true;
    if (change.kind === 'jti') return deniedUntil(exp) <= change.until;
    return claims.iat * 1000 <= change.at + 10 * minutes - acceptedAfterMilliseconds;
  });

const sameFor = (token: Token, states: readonly ReturnType<typeof createSecurityState>[]): void => {
  const answers = states.map((state) => state.refusal(token.claims, 'key-1'));
  assert.equal(new Set(answers).size, 1);
};

describe('the security state under random events in any order', () => {
  it('is the same however changes repeat and reorder', () =>
    fc.assert(
      fc.property(fc.array(changes), fc.array(tokens), fc.infiniteStream(fc.nat()), (applied, presented, random) => {
        const shuffled = [...applied, ...applied].map((one) => [random.next().value, one] as const);
        const reordered = shuffled.sort(([one], [other]) => one - other).map(([, one]) => one);
        const states = [applied, reordered, applied.toReversed()].map((given) => {
          const state = createSecurityState(() => start);
          for (const one of given) state.apply(one);
          return state;
        });
        for (const token of presented) sameFor(token, states);
        const [one, ...others] = states.map((state) =>
          state.changesAfter(null).map(({ minimum, until }) => [minimum, until]),
        );
        for (const other of others) assert.deepEqual(other.sort(), one?.sort());
      }),
    ));

  it('refuses every token that is still accepted as if nothing were ever forgotten', () =>
    fc.assert(
      fc.property(fc.array(changes), tokens, fc.nat({ max: 300 }), (applied, token, minute) => {
        fc.pre(isPossible(token, applied));
        const now = start + (minute - 100) * minutes;
        const clock = { now: now - 3 * 60 * minutes };
        const state = createSecurityState(() => clock.now);
        const spoken = applied.filter(({ at }) => at <= now);
        for (const one of spoken) {
          clock.now = Math.max(clock.now, one.at);
          state.apply(one);
        }
        clock.now = now;
        state.apply({ kind: 'heartbeat', sequence: 1n });
        if (now > token.exp + acceptedAfterMilliseconds) return;
        const expected = spoken.some((one) => revokes(token, one));
        assert.equal(state.refusal(token.claims, 'key-1') !== undefined, expected);
      }),
      { numRuns: 2_000 },
    ));
});
