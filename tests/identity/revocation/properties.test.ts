import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type DenyToken, denial } from '../../../domain/identity/denylist/decider';
import { type PrincipalCommand, principal } from '../../../domain/identity/principal/decider';
import { adminScopes, grantedScopes, type Role } from '../../../domain/identity/scopes';
import { type BumpTenantEpoch, tenantNotBefore } from '../../../domain/identity/tenant-security/decider';
import { fold } from '../../../domain/kernel/decider';
import { historiesOf, twiceIsOnce } from '../../support/domain/arbitrary';
import { evening, noon, principalId, tenantId } from '../examples';

const reason = fc.constantFrom('Lost.', 'Found.');
const of = <const Type extends string>(type: Type) => fc.constant(type);
const whose = { principalId: fc.constant(principalId), reason };
const readers = adminScopes.filter((name) => name.endsWith(':read'));

const asking = {
  by: fc.constantFrom('admin', principalId),
  held: fc.constantFrom(adminScopes, readers, []),
  at: fc.constant(noon),
};
const authority = {
  ...whose,
  ...asking,
  roles: fc.subarray<Role>(['admin', 'auditor']),
  scopes: fc.subarray([...adminScopes]),
};

const commands: fc.Arbitrary<PrincipalCommand> = fc.oneof(
  fc.record({
    type: of('RegisterPrincipal'),
    principalId: fc.constant(principalId),
    tenantId: fc.constant(tenantId),
    principalType: fc.constantFrom('HUMAN', 'PIPELINE'),
    at: fc.constant(noon),
  }),
  fc.record({
    type: fc.constantFrom('SuspendPrincipal', 'ReactivatePrincipal', 'MarkCompromised'),
    incidentId: fc.constant(null),
    ...whose,
    ...asking,
  }),
  fc.record({
    type: of('BumpEpoch'),
    to: fc.integer({ min: 1, max: 9 }),
    grants: fc.constantFrom('ended', 'kept'),
    ...whose,
  }),
  fc.record({ type: of('GrantAuthority'), ...authority }),
  fc.record({ type: of('WithdrawAuthority'), ...authority }),
);

const deny: fc.Arbitrary<DenyToken> = fc.record({
  type: of('DenyToken'),
  jti: fc.constantFrom('j-1', 'j-2'),
  expiresAt: fc.constantFrom(noon, evening),
  principalId: fc.constantFrom(null, principalId),
  reason,
  at: fc.constantFrom(noon, evening),
});
const bump: fc.Arbitrary<BumpTenantEpoch> = fc.record({
  type: of('BumpTenantEpoch'),
  at: fc.constantFrom(noon, evening),
  reason,
});

const ends = new Set(['PrincipalSuspended', 'PrincipalMarkedCompromised', 'RolesWithdrawn', 'ScopesWithdrawn']);

describe('revocation, whatever happens', () => {
  it('denies once', () => twiceIsOnce(denial, deny));
  it('raises a floor once', () => twiceIsOnce(tenantNotBefore, bump));
  it('does nothing to a principal the second time', () => twiceIsOnce(principal, commands));

  it('raises the epoch with everything that takes trust or authority away', () =>
    fc.assert(
      fc.property(historiesOf(principal, commands), (history) => {
        history.forEach(({ type }, index) => {
          if (!ends.has(type)) return;
          const after = history.slice(index + 1).find((event) => !ends.has(event.type));
          assert.equal(after?.type, 'SecurityEpochBumped');
        });
      }),
    ));

  it('never lowers an epoch and never says the same one twice', () =>
    fc.assert(
      fc.property(historiesOf(principal, commands), (history) => {
        const epochs = history.flatMap((event) => (event.type === 'SecurityEpochBumped' ? [event.data.to] : []));
        assert.deepEqual(
          epochs,
          [...new Set(epochs)].sort((one, other) => one - other),
        );
      }),
    ));

  it('ends grants with what says so, and with nothing else', () =>
    fc.assert(
      fc.property(historiesOf(principal, commands), (history) => {
        const ends = history.flatMap((event) =>
          event.type === 'SecurityEpochBumped' && event.data.grants === 'ended' ? [event.data.to] : [],
        );
        const state = fold(principal, principal.initial, history);
        if (state.kind === 'registered') assert.equal(state.grantsNotBeforeEpoch, Math.max(1, ...ends));
      }),
    ));

  it('leaves COMPROMISED by recovery only', () =>
    fc.assert(
      fc.property(historiesOf(principal, commands), (history) => {
        const at = history.findIndex(({ type }) => type === 'PrincipalMarkedCompromised');
        const state = fold(principal, principal.initial, history);
        if (at >= 0) assert.ok(state.kind === 'registered' && state.status === 'COMPROMISED');
      }),
    ));

  it('never grants more than the caller’s authority', () =>
    fc.assert(
      fc.property(fc.array(commands), (given) => {
        let state = principal.initial;
        for (const command of given) {
          const decision = principal.decide(command, state);
          if (decision._tag === 'Left') continue;
          if (command.type === 'GrantAuthority' && decision.right.length > 0)
            for (const scope of grantedScopes(command.roles, command.scopes)) assert.ok(command.held.includes(scope));
          state = fold(principal, state, decision.right);
        }
      }),
    ));
});
