import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { ApplicationId } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import type { RegisteredPrincipal } from '../../../domain/identity/principal/state';
import { fold } from '../../../domain/kernel/decider';
import { plusSeconds } from '../../../domain/kernel/instant';
import { given } from '../../kernel/domain/given-when-then';
import {
  bumped,
  byAdmin,
  credentialId,
  evening,
  issue,
  issued,
  move,
  noon,
  principalId,
  reactivated,
  registered,
  revoked,
  scope,
  suspended,
  tenantId,
} from '../examples';

const register = { type: 'RegisterPrincipal', principalId, tenantId, principalType: 'PIPELINE', at: noon } as const;
const revoke = { type: 'RevokeCredential', principalId, credentialId, reason: 'Leaked.' } as const;
const { by: _, held: __, expiresAt: ___, ...credential } = issue();
const bootstrap = { ...credential, type: 'BootstrapAdmin', tenantId, expiresAt: evening } as const;
const compromised: RegisteredPrincipal = {
  kind: 'registered',
  principalType: 'HUMAN',
  status: 'COMPROMISED',
  incidents: [],
  securityEpoch: 3,
  grantsNotBeforeEpoch: 3,
  roles: [],
  scopes: [],
  credentials: new Map(),
  credentialScopes: [],
  serviceClients: new Map(),
  trustRules: new Map(),
  admitsUnknownClients: false,
};
const refusesCompromised = (command: Parameters<typeof principal.decide>[0]): void => {
  const decision = principal.decide(command, compromised);
  assert.ok(isLeft(decision));
  assert.equal(decision.left.code, 'principal-compromised');
};

describe('letting an application act as a principal', () => {
  const applicationId = 'app-1' as ApplicationId;
  const [reads, writes] = [scope('principals:read'), scope('principals:write')];
  const authorize = {
    type: 'AuthorizeServiceClient' as const,
    principalId,
    applicationId,
    scopes: [reads],
    by: 'chief',
    held: [reads],
    at: noon,
  } as const;
  const authorized = (scopes = [reads]): PrincipalEvent => ({
    type: 'ServiceClientAuthorized',
    data: { principalId, applicationId, scopes },
  });
  it('records it', () => given(principal, registered).when(authorize).then(authorized()));
  it('does nothing the second time', () => given(principal, registered, authorized()).when(authorize).thenNothing());
  it('adds scopes and removes none', () =>
    given(principal, registered, authorized([writes]))
      .when({ ...authorize, held: [reads, writes] })
      .then(authorized([reads, writes])));
  it('refuses scopes that the caller lacks', () =>
    given(principal, registered)
      .when({ ...authorize, held: [writes] })
      .rejects('scope-not-held'));
  it('refuses where the principal may more, by whatever', () => {
    const granted: PrincipalEvent = { type: 'ScopesGranted', data: { principalId, scopes: [writes] } };
    const credential = { ...issued(), data: { ...issued().data, scopes: [writes] } } as PrincipalEvent;
    for (const more of [granted, credential, authorized([writes])])
      given(principal, registered, more).when(authorize).rejects('scope-not-held');
  });
  it('refuses for a person', () => {
    const person = { ...registered, data: { ...registered.data, principalType: 'HUMAN' } } as PrincipalEvent;
    given(principal, person).when(authorize).rejects('service-principal-human');
  });
  it('refuses for a principal that is suspended, compromised or not there', () => {
    given(principal).when(authorize).rejects('principal-unknown');
    given(principal, registered, suspended).when(authorize).rejects('principal-suspended');
    const decision = principal.decide(authorize, { ...compromised, principalType: 'PIPELINE' });
    assert.ok(isLeft(decision));
    assert.equal(decision.left.code, 'principal-compromised');
  });
  it('loses the scopes that are withdrawn from the principal', () => {
    const withdraw = { type: 'WithdrawAuthority', principalId, roles: [], scopes: [reads], reason: 'Moved.' } as const;
    given(principal, registered, authorized([reads, writes]))
      .when({ ...withdraw, ...byAdmin })
      .then(
        { type: 'ScopesWithdrawn', data: { principalId, scopes: [reads], reason: 'Moved.' } },
        {
          type: 'SecurityEpochBumped',
          data: { principalId, from: 1, to: 2, grants: 'kept', reason: 'Moved.' },
        },
      );
    const left = fold(principal, principal.initial, [
      registered,
      authorized([reads, writes]),
      { type: 'ScopesWithdrawn', data: { principalId, scopes: [reads], reason: 'Moved.' } },
    ]);
    assert.ok(left.kind === 'registered');
    assert.deepEqual([...left.serviceClients.values()], [[writes]]);
  });
});

describe('registering a principal', () => {
  it('registers it', () => given(principal).when(register).then(registered));
  it('does nothing the second time', () => given(principal, registered).when(register).thenNothing());
  it('refuses another type under the same id', () =>
    given(principal, registered)
      .when({ ...register, principalType: 'HUMAN' })
      .rejects('principal-differs'));
});

describe('suspending a principal', () => {
  const suspend = move('SuspendPrincipal', 'Lost.');
  it('suspends it and ends its living tokens in one go', () =>
    given(principal, registered).when(suspend).then(suspended, bumped(1)));
  it('raises the epoch each time', () =>
    given(principal, registered, suspended, bumped(1), reactivated).when(suspend).then(suspended, bumped(2)));
  it('does nothing the second time', () =>
    given(principal, registered, suspended, bumped(1)).when(suspend).thenNothing());
  it('refuses an unknown principal', () => given(principal).when(suspend).rejects('principal-unknown'));
  it('leaves a compromised one to recovery', () => refusesCompromised(suspend));
});

describe('reactivating a principal', () => {
  const reactivate = move('ReactivatePrincipal', 'Found.');
  it('reactivates it and leaves the epoch where it is', () =>
    given(principal, registered, suspended, bumped(1)).when(reactivate).then(reactivated));
  it('does nothing to an active one', () => given(principal, registered).when(reactivate).thenNothing());
  it('refuses an unknown principal', () => given(principal).when(reactivate).rejects('principal-unknown'));
  it('leaves a compromised one to recovery', () => refusesCompromised(reactivate));
});

describe('issuing a credential', () => {
  it('records its hash, scopes and end', () => given(principal, registered).when(issue()).then(issued()));
  it('names each scope once', () => {
    const reads = scope('principals:read');
    given(principal, registered)
      .when(issue({ scopes: [reads, reads] }))
      .then(issued());
  });
  it('does nothing the second time', () => given(principal, registered, issued()).when(issue()).thenNothing());
  it('refuses another secret under the same id', () =>
    given(principal, registered, issued())
      .when(issue({ secretHash: 'cd'.repeat(32) }))
      .rejects('credential-differs'));
  it('refuses scopes that the caller does not hold', () =>
    given(principal, registered)
      .when(issue({ scopes: [scope('all:things')] }))
      .rejects('scope-not-held'));
  const person: PrincipalEvent = {
    type: 'PrincipalRegistered',
    data: { principalId, tenantId, principalType: 'HUMAN', createdAt: noon },
  };
  it('refuses a credential of another person, whatever the caller may do', () => {
    given(principal, person).when(issue()).rejects('credential-of-another');
    given(principal, person)
      .when(issue({ by: principalId }))
      .then(issued());
  });
  it('refuses who may do less than the principal, by itself or by a credential that lives', () => {
    const more: PrincipalEvent = { type: 'ScopesGranted', data: { principalId, scopes: [scope('all:things')] } };
    const credentialIssued: PrincipalEvent = {
      type: 'CredentialIssued',
      data: {
        principalId,
        credentialId: 'stronger' as typeof credentialId,
        secretHash: issue().secretHash,
        scopes: [scope('all:things')],
        createdAt: noon,
        expiresAt: evening,
      },
    };
    for (const history of [more, credentialIssued]) {
      given(principal, registered, history).when(issue()).rejects('scope-not-held');
      given(principal, registered, history)
        .when(issue({ held: [...issue().held, scope('all:things')] }))
        .then(issued());
      given(principal, registered, history)
        .when(issue({ by: principalId }))
        .then(issued());
    }
  });
  it('refuses a credential without scopes', () =>
    given(principal, registered)
      .when(issue({ scopes: [] }))
      .rejects('scopes-missing'));
  it('refuses a suspended principal', () =>
    given(principal, registered, suspended).when(issue()).rejects('principal-suspended'));
  it('refuses an unknown principal', () => given(principal).when(issue()).rejects('principal-unknown'));
  it('never hands a compromised principal its own replacement', () => refusesCompromised(issue()));

  const twenty = Array.from({ length: 20 }, (_unused, index) => issued(`many-${index}`));
  it('refuses the twenty-first that lives', () =>
    given(principal, registered, ...twenty)
      .when(issue())
      .rejects('too-many-credentials'));
  it('counts no revoked one', () => {
    const one = { ...revoked.data, credentialId: 'many-0' as typeof credentialId };
    given(principal, registered, ...twenty, { ...revoked, data: one })
      .when(issue())
      .then(issued());
  });
  it('counts no expired one', () => {
    const made = fold(principal, principal.initial, [registered, ...twenty]);
    assert.ok(isRight(principal.decide(issue({ at: evening, expiresAt: plusSeconds(evening, 60) }), made)));
  });
});

describe('revoking a credential', () => {
  it('revokes it', () => given(principal, registered, issued()).when(revoke).then(revoked));
  it('does nothing the second time', () => given(principal, registered, issued(), revoked).when(revoke).thenNothing());
  it('works on a suspended principal too', () =>
    given(principal, registered, issued(), suspended).when(revoke).then(revoked));
  it('refuses an unknown credential', () => given(principal, registered).when(revoke).rejects('credential-unknown'));
  it('refuses an unknown principal', () => given(principal).when(revoke).rejects('principal-unknown'));
});

describe('signing in the first admin', () => {
  it('makes principal and credential at once', () => {
    const [person, key] = [registered, issued()] as const;
    assert.ok(person.type === 'PrincipalRegistered' && key.type === 'CredentialIssued');
    given(principal)
      .when(bootstrap)
      .then(
        { ...person, data: { ...person.data, principalType: 'HUMAN' } },
        { ...key, data: { ...key.data, expiresAt: evening } },
      );
  });
  it('does nothing when it is the same sign-in again', () =>
    given(principal, registered, issued()).when(bootstrap).thenNothing());
  it('refuses another one', () =>
    given(principal, registered, issued('c-2')).when(bootstrap).rejects('already-bootstrapped'));
});
