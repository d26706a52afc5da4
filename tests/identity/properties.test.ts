import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { CredentialId } from '../../domain/identity/ids';
import { issuance } from '../../domain/identity/issuance/events';
import { type PrincipalCommand, principal } from '../../domain/identity/principal/decider';
import { principals } from '../../domain/identity/principal/events';
import type { PrincipalState } from '../../domain/identity/principal/state';
import { fold } from '../../domain/kernel/decider';
import { eventsOf, historiesOf, twiceIsOnce } from '../support/domain/arbitrary';
import { survivesForgetting } from '../support/domain/erasure-property';
import { byAdmin, evening, issue, noon, principalId, scope, tenantId } from './examples';

const reason = fc.constantFrom('Lost.', 'Found.');
const credentialId = fc.constantFrom('c-1', 'c-2', 'c-3').map((id) => id as CredentialId);
const secretHash = fc.constantFrom('ab'.repeat(32), 'cd'.repeat(32));
const scopes = fc.subarray(['principals:read', 'principals:write', 'security:read'].map(scope));
const at = fc.constantFrom(noon, evening);
const credential = { principalId: fc.constant(principalId), credentialId, secretHash, scopes, at };
const of = <const Type extends string>(type: Type) => fc.constant(type);

const commands: fc.Arbitrary<PrincipalCommand> = fc.oneof(
  fc.record({
    type: of('RegisterPrincipal'),
    principalId: fc.constant(principalId),
    tenantId: fc.constant(tenantId),
    principalType: fc.constantFrom('HUMAN', 'AI_AGENT'),
    at,
  }),
  fc.record({
    type: fc.constantFrom('SuspendPrincipal', 'ReactivatePrincipal'),
    principalId: fc.constant(principalId),
    reason,
    by: fc.constantFrom('admin', principalId),
    held: fc.constant(byAdmin.held),
    at,
  }),
  fc.record({
    type: of('BootstrapAdmin'),
    tenantId: fc.constant(tenantId),
    ...credential,
    expiresAt: fc.constant(evening),
  }),
  fc.record({
    type: of('IssueCredential'),
    ...credential,
    by: fc.constantFrom('admin', principalId),
    held: fc.constant(issue().held),
    expiresAt: fc.constantFrom(noon, evening),
    policy: fc.constant(issue().policy),
  }),
  fc.record({ type: of('RevokeCredential'), principalId: fc.constant(principalId), credentialId, reason }),
);

const epochOf = (state: PrincipalState): number => (state.kind === 'none' ? 0 : state.securityEpoch);

describe('identity, whatever happens', () => {
  it('can forget the holders of issued tokens', () => survivesForgetting(issuance, () => null, null));
  it('does nothing the second time', () => twiceIsOnce(principal, commands));

  it('accepts every recorded fact in any order', () =>
    fc.assert(
      fc.property(fc.array(eventsOf(principals)), (events) => {
        assert.ok(['none', 'registered'].includes(fold(principal, principal.initial, events).kind));
      }),
    ));

  it('never lowers an epoch, and raises it with every suspension', () =>
    fc.assert(
      fc.property(historiesOf(principal, commands), (history) => {
        let state = principal.initial;
        for (const event of history) {
          const next = principal.evolve(state, event);
          assert.ok(epochOf(next) >= epochOf(state));
          state = next;
        }
        const suspensions = history.filter(({ type }) => type === 'PrincipalSuspended').length;
        assert.equal(epochOf(state), state.kind === 'none' ? 0 : 1 + suspensions);
      }),
    ));

  it('never gives what the giver does not hold, but to the first admin', () =>
    fc.assert(
      fc.property(historiesOf(principal, commands), (history) => {
        const given = history.flatMap((event, index) =>
          event.type === 'CredentialIssued' && index > 1 ? event.data.scopes : [],
        );
        assert.deepEqual(
          given.filter((one) => !issue().held.includes(one)),
          [],
        );
      }),
    ));

  it('brings no revoked credential back', () =>
    fc.assert(
      fc.property(historiesOf(principal, commands), (history) => {
        const state = fold(principal, principal.initial, history);
        const revoked = history.flatMap((event) =>
          event.type === 'CredentialRevoked' ? [event.data.credentialId] : [],
        );
        for (const id of revoked) assert.ok(state.kind === 'registered' && state.credentials.get(id)?.revoked);
      }),
    ));
});
