import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import {
  builtInApplication,
  cliApplication,
  consoleApplication,
} from '../../../domain/identity/client/built-in-clients';
import { client } from '../../../domain/identity/client/decider';
import { type ClientEvent, type ClientMetadata, clients } from '../../../domain/identity/client/events';
import { checkMetadata } from '../../../domain/identity/client/metadata-rules';
import { isGrantVoid } from '../../../domain/identity/client/state';
import type { CredentialId } from '../../../domain/identity/ids';
import { adminScopes } from '../../../domain/identity/scopes';
import { fold } from '../../../domain/kernel/decider';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { given } from '../../kernel/domain/given-when-then';
import { historyOf, type Line } from '../../support/domain/event-history';
import { evening, scope } from '../examples';
import {
  applicationId,
  change,
  changed,
  disabled,
  enable,
  enabled,
  grantsVoided,
  issueSecret,
  loosened,
  reads,
  register,
  registered,
  revokeSecret,
  secretIssued,
  secretRevoked,
  web,
  writes,
} from './examples';

const disable = { type: 'DisableClient', applicationId, reason: 'Over.' } as const;

describe('registering a client', () => {
  it('registers it', () => given(client).when(register()).then(registered()));
  it('does nothing the second time, in whatever order it is said', () =>
    given(client, registered())
      .when(register({ scopes: [reads, scope('openid')], grantTypes: ['refresh_token', 'authorization_code'] }))
      .thenNothing());
  it('keeps what is said several times once', () =>
    given(client)
      .when(register({ audiences: ['septet', 'https://files.example', 'septet'], scopes: [reads, reads] }))
      .then(registered({ audiences: ['septet', 'https://files.example'], scopes: [reads] })));
  it('refuses another one under the same id', () =>
    given(client, registered())
      .when(register({ name: 'Other' }))
      .rejects('client-differs'));
});

describe('a registration from before a field was there', () => {
  const recorded = historyOf('identity').filter(({ type }) => type === 'identity.ClientRegistered.v1');
  const [old, recent] = [recorded[0], recorded.find(({ data }) => 'pkce' in data)];
  const decoded = (line: Line | undefined) => {
    const event = clients.decode(line?.type ?? '', line?.data);
    assert.ok(isRight(event) && event.right.type === 'ClientRegistered');
    const { pkce, exactAuthentication } = event.right.data;
    return { pkce, exactAuthentication };
  };
  it('keeps what its client does: PKCE, and a secret in either way', () => {
    assert.equal('pkce' in (old?.data ?? {}), false);
    assert.deepEqual(decoded(old), { pkce: 'required', exactAuthentication: false });
  });
  it('differs from one that says otherwise', () =>
    assert.deepEqual(decoded(recent), { pkce: 'optional', exactAuthentication: true }));
});

describe('changing a client', () => {
  it('records all that it is now', () =>
    given(client, registered())
      .when(change({ name: 'Invoices' }))
      .then(changed({ name: 'Invoices' })));
  it('does nothing when nothing changes', () => given(client, registered()).when(change({})).thenNothing());
  it('does nothing the second time', () =>
    given(client, registered(), changed({ name: 'Invoices' }))
      .when(change({ name: 'Invoices' }))
      .thenNothing());
  it('refuses what may not be registered', () =>
    given(client, registered())
      .when(change({ redirectUris: ['http://app.example/callback'] }))
      .rejects('redirect-uri-invalid'));
  it('refuses a client that is not there', () => given(client).when(change({})).rejects('client-unknown'));
  it('ends its secrets when it acts as another principal: their holders were meant for the one before', () => {
    const of = (servicePrincipalId: string) => ({
      grantTypes: ['client_credentials' as const],
      redirectUris: [],
      servicePrincipalId: servicePrincipalId as PrincipalId,
    });
    const means = { grantable: [reads, scope('credentials:write')], audiences: ['septet'] };
    given(client, registered(of('p-1')), secretIssued())
      .when({ ...change(of('p-2')), means })
      .then(
        loosened('servicePrincipalId'),
        changed(of('p-2')),
        secretRevoked('The client now authenticates in another way, or acts as another principal.'),
      );
  });
  it('ends its secrets when it does not use any', () => {
    const publicly = { authentication: 'none' } as const;
    given(client, registered(), secretIssued())
      .when(change(publicly))
      .then(
        loosened('authentication'),
        changed(publicly),
        grantsVoided(),
        secretRevoked('The client now authenticates in another way, or acts as another principal.'),
      );
  });
});

describe('authority over a client', () => {
  const strong = { scopes: [reads, scope('security:write')] };
  const firstParty = { firstParty: true };
  const service = {
    servicePrincipalId: 'p-1' as PrincipalId,
    grantTypes: ['client_credentials'],
    redirectUris: [],
  } as const;
  const cases = {
    'has scopes that the caller lacks': strong,
    'is first-party': firstParty,
    'acts as a principal': service,
  } as const;
  for (const [which, metadata] of Object.entries(cases)) {
    const before = registered(metadata as Partial<ClientMetadata>);
    const code = which === 'is first-party' ? 'first-party-not-held' : 'scope-not-held';
    it(`no caller changes one that ${which}, to whatever`, () => {
      given(client, before)
        .when(change({ redirectUris: ['https://evil.example/'], authentication: 'none' }))
        .rejects(code);
      given(client, before)
        .when(change({ ...(metadata as Partial<ClientMetadata>), name: 'Other' }))
        .rejects(code);
    });
    it(`no caller enables one that ${which}`, () => given(client, before, disabled).when(enable).rejects(code));
    it(`no caller gets a secret of one that ${which}`, () =>
      given(client, before).when(issueSecret()).rejects('scope-not-held'));
    it(`every caller may disable one that ${which}`, () => given(client, before).when(disable).then(disabled));
  }
  it('no caller enables one that is built in without all scopes', () =>
    given(client, { type: 'ClientDisabled', data: { applicationId: cliApplication, reason: 'Over.' } })
      .when({ ...enable, applicationId: cliApplication })
      .rejects('scope-not-held'));
});

describe('consents and grants of a client', () => {
  const moved = { redirectUris: ['https://app.example/other'] };
  it('are void when a redirect URI changes', () =>
    given(client, registered()).when(change(moved)).then(loosened('redirectUris'), changed(moved), grantsVoided()));
  it('are void when a redirect URI is added, or one of several removed', () => {
    const two = { redirectUris: [...web.redirectUris, 'https://app.example/other'] };
    given(client, registered()).when(change(two)).then(loosened('redirectUris'), changed(two), grantsVoided());
    given(client, registered(two)).when(change({})).then(changed({}), grantsVoided(two));
  });
  it('are void when the way of authenticating changes', () => {
    const byPost = { authentication: 'client_secret_post' } as const;
    given(client, registered()).when(change(byPost)).then(changed(byPost), grantsVoided());
  });
  it('count when the order of redirect URIs, a name or scopes change', () => {
    const two = { redirectUris: ['https://app.example/a', 'https://app.example/b'] };
    const reversed = { redirectUris: [...two.redirectUris].reverse() };
    given(client, registered(two)).when(change(reversed)).then(changed(reversed));
    given(client, registered())
      .when(change({ scopes: [reads] }))
      .then(changed({ scopes: [reads] }));
  });
  it('of a client that people never allowed anything are not mentioned', () => {
    const machine = {
      grantTypes: ['client_credentials'],
      redirectUris: [],
      servicePrincipalId: 'p-1' as PrincipalId,
    } as const;
    const means = { grantable: [reads, scope('credentials:write')], audiences: ['septet'] };
    const byPost = {
      ...machine,
      grantTypes: ['client_credentials' as const],
      redirectUris: [],
      authentication: 'client_secret_post' as const,
    };
    given(client, registered({ ...machine, grantTypes: ['client_credentials'], redirectUris: [] }))
      .when({ ...change(byPost), means })
      .then(changed(byPost));
  });
  it('are void when a first-party client becomes one that people are asked for', () => {
    const ours = { firstParty: true };
    const means = { grantable: [reads, writes, 'platform:write'], audiences: ['septet'] };
    given(client, registered(ours))
      .when({ ...change({}), means })
      .then(changed({}), grantsVoided());
  });
  it('are void by epochs: disabling ends grants, and leaves consents', () => {
    const stateWith = (...events: readonly ClientEvent[]) => {
      const state = fold(client, client.initial, [registered(), ...events]);
      assert.ok(state.kind === 'registered');
      return state;
    };
    assert.deepEqual([stateWith().consentEpoch, stateWith().grantEpoch], [0, 0]);
    const voided = stateWith(changed(moved), grantsVoided());
    assert.deepEqual([voided.consentEpoch, voided.grantEpoch], [1, 1]);
    assert.ok(isGrantVoid(voided, 0) && isGrantVoid(voided, null) && !isGrantVoid(voided, 1));
    const again = stateWith(disabled, enabled);
    assert.deepEqual([again.consentEpoch, again.grantEpoch], [0, 1]);
    assert.ok(isGrantVoid(again, 0) && !isGrantVoid(again, null));
  });
});

describe('giving a client secrets', () => {
  it('records the hash', () => given(client, registered()).when(issueSecret()).then(secretIssued()));
  it('does nothing the second time', () =>
    given(client, registered(), secretIssued()).when(issueSecret()).thenNothing());
  it('refuses another secret under the same id', () =>
    given(client, registered(), secretIssued())
      .when(issueSecret({ secretHash: 'cd'.repeat(32) }))
      .rejects('client-secret-differs'));
  it('refuses to a caller who may do less than the client', () =>
    given(client, registered())
      .when(issueSecret({ grantable: [] }))
      .rejects('scope-not-held'));
  it('refuses of one that stands for a principal to who may give no credentials', () => {
    const service = registered({ servicePrincipalId: 'p-1' as PrincipalId });
    const [refused, allowed] = [issueSecret(), issueSecret({ grantable: [reads, scope('credentials:write')] })];
    given(client, service).when(refused).rejects('scope-not-held');
    given(client, service).when(allowed).then(secretIssued());
  });
  it('refuses to a client that has no use for it', () =>
    given(client, registered({ authentication: 'none' }))
      .when(issueSecret())
      .rejects('client-has-no-secrets'));
  it('refuses to a disabled client', () =>
    given(client, registered(), disabled).when(issueSecret()).rejects('client-disabled'));
  it('refuses to a client that is not there', () => given(client).when(issueSecret()).rejects('client-unknown'));
  const ten = Array.from({ length: 10 }, (_, index) => secretIssued(`many-${index}`));
  it('refuses an eleventh', () =>
    given(client, registered(), ...ten)
      .when(issueSecret())
      .rejects('too-many-client-secrets'));
  it('counts only those that live', () =>
    given(client, registered(), ...ten)
      .when(issueSecret({ at: evening, expiresAt: null }))
      .then({
        type: 'ClientSecretIssued',
        data: {
          applicationId,
          credentialId: 's-1' as CredentialId,
          secretHash: 'ab'.repeat(32),
          createdAt: evening,
          expiresAt: null,
        },
      }));
});

describe('revoking a secret of a client', () => {
  it('ends it', () => given(client, registered(), secretIssued()).when(revokeSecret).then(secretRevoked()));
  it('does nothing the second time', () =>
    given(client, registered(), secretIssued(), secretRevoked()).when(revokeSecret).thenNothing());
  it('refuses one that is not there', () =>
    given(client, registered()).when(revokeSecret).rejects('client-secret-unknown'));
});

describe('disabling and enabling a client', () => {
  it('disables it', () => given(client, registered()).when(disable).then(disabled));
  it('does nothing the second time', () => given(client, registered(), disabled).when(disable).thenNothing());
  it('enables it', () => given(client, registered(), disabled).when(enable).then(enabled));
  it('enables nothing twice', () => given(client, registered()).when(enable).thenNothing());
  it('refuses a client that is not there', () => given(client).when(disable).rejects('client-unknown'));
  it('disables one that is built in, and registers nothing for it', () =>
    given(client)
      .when({ ...disable, applicationId: cliApplication })
      .then({ type: 'ClientDisabled', data: { applicationId: cliApplication, reason: 'Over.' } }));
});

describe('clients that are built in', () => {
  const home = { issuer: 'https://septet.example', audiences: ['septet'] };
  for (const id of [consoleApplication, cliApplication])
    it(`could have been registered as ${id}`, () => {
      const metadata = builtInApplication(id, home);
      assert.ok(metadata);
      const grantable = [...adminScopes, 'platform:write'];
      assert.equal(checkMetadata(metadata, { grantable, audiences: home.audiences }), undefined);
      assert.equal(metadata.servicePrincipalId satisfies PrincipalId | null, null);
    });
  it('are no others', () => assert.equal(builtInApplication(applicationId, home), undefined));
});
