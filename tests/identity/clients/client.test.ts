import assert from 'node:assert/strict';
import {
  builtInApplication,
  cliApplication,
  consoleApplication,
} from '../../../domain/identity/client/built-in-clients';
import { client } from '../../../domain/identity/client/decider';
import { checkMetadata } from '../../../domain/identity/client/metadata-rules';
import type { CredentialId } from '../../../domain/identity/ids';
import { adminScopes } from '../../../domain/identity/scopes';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { given } from '../../kernel/domain/given-when-then';
import { evening, scope } from '../examples';
import {
  applicationId,
  change,
  changed,
  disabled,
  enabled,
  issueSecret,
  reads,
  register,
  registered,
  revokeSecret,
  secretIssued,
  secretRevoked,
} from './examples';

const disable = { type: 'DisableClient', applicationId, reason: 'Over.' } as const;
const enable = { type: 'EnableClient', applicationId, reason: 'Again.' } as const;

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
  it('ends its secrets when it does not use any', () => {
    const publicly = { authentication: 'none' } as const;
    given(client, registered(), secretIssued())
      .when(change(publicly))
      .then(changed(publicly), secretRevoked('The client authenticates by other means now.'));
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
