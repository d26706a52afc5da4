import assert from 'node:assert/strict';
import { denial, maxDenials } from '../../../domain/identity/denylist/decider';
import { type DenialEvent, denialStream } from '../../../domain/identity/denylist/events';
import { principal } from '../../../domain/identity/principal/decider';
import type { GrantsOfBefore, PrincipalEvent } from '../../../domain/identity/principal/events';
import { adminScopes } from '../../../domain/identity/scopes';
import { tenantNotBefore } from '../../../domain/identity/tenant-security/decider';
import { globalSecurityStream, tenantSecurityStream } from '../../../domain/identity/tenant-security/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { given } from '../../kernel/domain/given-when-then';
import { bumped, byAdmin, evening, noon, principalId, registered, scope, suspended, tenantId } from '../examples';

const person: PrincipalEvent = {
  type: 'PrincipalRegistered',
  data: { principalId, tenantId, principalType: 'HUMAN', createdAt: noon },
};
const marked: PrincipalEvent = {
  type: 'PrincipalMarkedCompromised',
  data: { principalId, reason: 'Lost.', incidentId: null },
};
const granted: PrincipalEvent = { type: 'RolesGranted', data: { principalId, roles: ['auditor'] } };
const reads = adminScopes.filter((one) => one.endsWith(':read'));

describe('marking a principal as compromised', () => {
  const mark = { type: 'MarkCompromised', principalId, incidentId: null, reason: 'Lost.', ...byAdmin } as const;
  it('ends its tokens in the same append', () => given(principal, registered).when(mark).then(marked, bumped(1)));
  it('works from any status', () =>
    given(principal, registered, suspended, bumped(1)).when(mark).then(marked, bumped(2)));
  it('does nothing the second time', () => given(principal, registered, marked, bumped(1)).when(mark).thenNothing());
  it('refuses an unknown principal', () => given(principal).when(mark).rejects('principal-unknown'));
  for (const type of ['SuspendPrincipal', 'ReactivatePrincipal'] as const)
    it(`is not undone by ${type}`, () =>
      given(principal, registered, marked, bumped(1))
        .when({ type, principalId, reason: 'Found.', ...byAdmin })
        .rejects('principal-compromised'));
});

describe('raising an epoch', () => {
  const bump = (to: number | null, grants: GrantsOfBefore = 'kept') =>
    ({ type: 'BumpEpoch', principalId, to, grants, reason: 'Lost.' }) as const;
  const bumpedOnly = (from: number) => bumped(from, 'kept');
  it('raises it by one', () => given(principal, registered).when(bump(null)).then(bumpedOnly(1)));
  it('raises it for each new request', () =>
    given(principal, registered, bumped(1)).when(bump(null)).then(bumpedOnly(2)));
  it('reaches what it is to reach', () => given(principal, registered).when(bump(2)).then(bumpedOnly(1)));
  it('does nothing where it is reached', () => given(principal, registered, bumped(1)).when(bump(2)).thenNothing());
  it('ends what was granted, where that is meant', () =>
    given(principal, registered).when(bump(null, 'ended')).then(bumped(1)));
  it('ends what was granted though the epoch was reached without', () =>
    given(principal, registered, bumpedOnly(1)).when(bump(2, 'ended')).then(bumped(2)));
  it('ends what was granted once', () => given(principal, registered, bumped(1)).when(bump(2, 'ended')).thenNothing());
  it('keeps what was granted where a process decided before that was said', () => {
    const { grants: _, ...before } = bump(2);
    given(principal, registered)
      .when(before as ReturnType<typeof bump>)
      .then(bumpedOnly(1));
  });
  it('refuses an unknown principal', () => given(principal).when(bump(null)).rejects('principal-unknown'));
});

describe('what a principal may do', () => {
  const grant = (changes: object = {}) =>
    ({
      type: 'GrantAuthority',
      principalId,
      roles: ['auditor'],
      scopes: [],
      by: 'admin',
      held: reads,
      ...changes,
    }) as const;
  const withdraw = (changes: object = {}) => ({
    ...grant(),
    type: 'WithdrawAuthority' as const,
    reason: 'Lost.',
    at: noon,
    ...changes,
  });
  const taken: PrincipalEvent = { type: 'RolesWithdrawn', data: { principalId, roles: ['auditor'], reason: 'Lost.' } };

  it('is given', () => given(principal, person).when(grant()).then(granted));
  it('is given once', () => given(principal, person, granted).when(grant()).thenNothing());
  it('is withdrawn with every token', () =>
    given(principal, person, granted).when(withdraw()).then(taken, bumped(1, 'kept')));
  it('is withdrawn once', () => given(principal, person).when(withdraw()).thenNothing());
  it('is given as single scopes, too', () =>
    given(principal, registered)
      .when(grant({ roles: [], scopes: [scope('security:read'), scope('clients:read')] }))
      .then({ type: 'ScopesGranted', data: { principalId, scopes: [scope('clients:read'), scope('security:read')] } }));
  it('is never more than the giver may do', () =>
    given(principal, person)
      .when(grant({ roles: ['admin'] }))
      .rejects('scope-not-held'));
  it('is not withdrawn by who may not do it', () =>
    given(principal, person, granted)
      .when(withdraw({ held: ['principals:write'] }))
      .rejects('scope-not-held'));
  it('is not given to oneself', () =>
    given(principal, person)
      .when(grant({ by: principalId }))
      .rejects('own-authority'));
  it('is not withdrawn from oneself, so that the last admin stays', () =>
    given(principal, person, granted)
      .when(withdraw({ by: principalId }))
      .rejects('own-authority'));
  it('is no role for what is no person', () => given(principal, registered).when(grant()).rejects('role-for-people'));
  it('is not given to the compromised', () =>
    given(principal, person, marked, bumped(1)).when(grant()).rejects('principal-compromised'));
});

describe('denying a token', () => {
  const deny = { type: 'DenyToken', jti: 'j-1', expiresAt: evening, principalId, reason: 'Lost.', at: noon } as const;
  const denied = (jti: string): DenialEvent => ({
    type: 'TokenDenied',
    data: { jti, expiresAt: evening, principalId, reason: 'Lost.' },
  });
  it('denies it', () => given(denial).when(deny).then(denied('j-1')));
  it('does nothing the second time', () => given(denial, denied('j-1')).when(deny).thenNothing());
  it('has nothing to deny of one that has expired everywhere', () => {
    const command = (seconds: number) => ({ ...deny, at: plusSeconds(evening, seconds) });
    given(denial).when(command(70)).thenNothing();
    given(denial).when(command(69)).then(denied('j-1'));
  });
  it('bounds denials per tenant under a flood', () =>
    given(denial, ...Array.from({ length: maxDenials }, (_, index) => denied(`other-${index}`)))
      .when(deny)
      .rejects('too-many-denials'));
});

describe('the floor of a tenant', () => {
  const bump = { type: 'BumpTenantEpoch', at: noon, reason: 'Lost.' } as const;
  const raised = (notBefore: string) =>
    ({ type: 'TenantEpochBumped', data: { notBefore: notBefore as Instant, reason: 'Lost.' } }) as const;
  it('is as far ahead as clocks may be apart', () =>
    given(tenantNotBefore).when(bump).then(raised('2026-01-31T12:00:10.000Z')));
  it('does nothing the second time', () =>
    given(tenantNotBefore, raised('2026-01-31T12:00:10.000Z')).when(bump).thenNothing());
  it('is never lowered, whatever a clock says', () =>
    given(tenantNotBefore, raised('2026-01-31T18:00:00.000Z')).when(bump).thenNothing());
});

describe('streams that revoke', () => {
  it('are of one tenant, spread by the hour and the token', () => {
    const named = (jti: string) => denialStream(tenantId, { jti, expiresAt: evening });
    assert.match(named('j-1'), /^identity\.denials-acme\.2026013118-[0-9a-f]$/);
    const streams = Array.from({ length: 64 }, (_, index) => named(`token-${index}`));
    assert.ok(new Set(streams).size > 8);
  });
  it('tell the floor of everybody from that of a tenant called like the platform', () =>
    assert.notEqual(tenantSecurityStream('platform' as TenantId), globalSecurityStream));
});
