import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { client } from '../../../domain/identity/client/decider';
import { type ClientMetadata, clients } from '../../../domain/identity/client/events';
import { fold } from '../../../domain/kernel/decider';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { given } from '../../kernel/domain/given-when-then';
import { eventsOf, historiesOf, twiceIsOnce } from '../../support/domain/arbitrary';
import { evening, noon, scope } from '../examples';
import { change, enable, issueSecret, reads, register, revokeSecret, web, writes } from './examples';

const service = {
  grantTypes: ['client_credentials'],
  redirectUris: [],
  servicePrincipalId: 'p-1' as PrincipalId,
} satisfies Partial<ClientMetadata>;
const key = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) } as const;
const byKey = { authentication: 'private_key_jwt', jwks: { keys: [key] } } satisfies Partial<ClientMetadata>;

const fapi: Partial<ClientMetadata> = {
  ...byKey,
  fapi: true,
  dpopBound: true,
  requirePushed: true,
  idTokenAlgorithm: 'ES256',
};

describe('what a registration may say', () => {
  const accepts: readonly (readonly [string, Partial<ClientMetadata>])[] = [
    ['a service with a secret', service],
    ['a service with a key', { ...service, ...byKey }],
    ['a service by its certificate', { ...service, authentication: 'tls_client_auth', tlsSubject: 'CN=svc' }],
    ['keys at an address', { ...byKey, jwks: null, jwksUri: 'https://app.example/jwks' }],
    ['a public client', { authentication: 'none' }],
    ['a client held to FAPI 2.0', fapi],
    ['a client that sends its secret in one way only', { exactAuthentication: true }],
    ['a confidential client without PKCE', { pkce: 'optional' }],
    ['a confidential client without PKCE, by its key', { ...byKey, pkce: 'optional', dpopBound: true }],
    [
      'a logout address',
      { backchannelLogoutUri: 'https://app.example/logout', backchannelLogoutSessionRequired: true },
    ],
    ['a logout address on this machine', { backchannelLogoutUri: 'http://127.0.0.1:3000/logout' }],
    [
      'a device',
      { authentication: 'none', redirectUris: [], grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] },
    ],
    ['what is about people, which anybody may hand out', { scopes: ['profile', 'email', 'offline_access'].map(scope) }],
  ];
  for (const [what, said] of accepts)
    it(`is ${what}`, () => {
      const command = register(said);
      const grantable = [...command.means.grantable, 'credentials:write'];
      const decision = client.decide({ ...command, means: { ...command.means, grantable } }, client.initial);
      assert.equal(decision._tag, 'Right', JSON.stringify(decision));
    });

  const invalid: readonly (readonly [string, Partial<ClientMetadata>])[] = [
    ['client credentials of a public client', { ...service, authentication: 'none' }],
    ['client credentials for nobody', { ...service, servicePrincipalId: null }],
    ['a principal without client credentials', { servicePrincipalId: 'p-1' as PrincipalId }],
    ['codes without an address', { redirectUris: [] }],
    ['an address without codes', { ...service, redirectUris: web.redirectUris }],
    ['refreshing nothing', { ...service, grantTypes: ['client_credentials', 'refresh_token'] }],
    ['no grant types', { grantTypes: [], redirectUris: [] }],
    ['a grant type twice', { grantTypes: ['authorization_code', 'authorization_code'] }],
    ['keys here and there', { ...byKey, jwksUri: 'https://app.example/jwks' }],
    ['a key method without keys', { authentication: 'private_key_jwt' }],
    ['no keys', { ...byKey, jwks: { keys: [] } }],
    ['a crowd of keys', { ...byKey, jwks: { keys: Array.from({ length: 11 }, () => key) } }],
    ['a short RSA key', { ...byKey, jwks: { keys: [{ kty: 'RSA', n: 'n'.repeat(171), e: 'AQAB' }] } }],
    ['a key on another curve', { ...byKey, jwks: { keys: [{ ...key, crv: 'P-384' }] } }],
    ['a self-signed certificate that is not given', { ...byKey, authentication: 'self_signed_tls_client_auth' }],
    ['keys at a plain address', { ...byKey, jwks: null, jwksUri: 'http://app.example/jwks' }],
    ['a certificate without a subject', { authentication: 'tls_client_auth' }],
    ['a subject without a certificate', { tlsSubject: 'CN=svc' }],
    ['a logout address of plain http', { backchannelLogoutUri: 'http://app.example/logout' }],
    ['a logout address with a fragment', { backchannelLogoutUri: 'https://app.example/logout#x' }],
    ['a logout address of a native app', { authentication: 'none', backchannelLogoutUri: 'com.example.app:/logout' }],
    ['a logout address of a service', { ...service, backchannelLogoutUri: 'https://app.example/logout' }],
    ['a session for a logout without an address', { backchannelLogoutSessionRequired: true }],
    ['two bindings', { dpopBound: true, certificateBound: true }],
    ['a public client without PKCE', { authentication: 'none', pkce: 'optional' }],
    ['no scopes', { scopes: [] }],
    ['no audience', { audiences: [] }],
    ['an audience that is not ours', { audiences: ['https://evil.example'] }],
    ['an idle time beyond the end', { refreshIdleSeconds: 100_000 }],
    ['pushed requests without codes', { ...service, requirePushed: true }],
    ['FAPI with a secret', { ...fapi, authentication: 'client_secret_basic', jwks: null }],
    ['FAPI with tokens that anybody can use', { ...fapi, dpopBound: false }],
    ['FAPI with requests in addresses', { ...fapi, requirePushed: false }],
    ['FAPI without PKCE', { ...fapi, pkce: 'optional' }],
    ['FAPI with ID tokens by RS256', { ...fapi, idTokenAlgorithm: 'RS256' }],
  ];
  for (const [what, said] of invalid)
    it(`is not ${what}`, () => given(client).when(register(said)).rejects('client-metadata-invalid'));

  it('is no scope that the caller does not hold', () =>
    given(client)
      .when(register({ scopes: [scope('security:read')] }))
      .rejects('scope-not-held'));
  it('is not first party, but by those who operate the platform', () =>
    given(client)
      .when(register({ firstParty: true }))
      .rejects('first-party-not-held'));
  it('names the field and the place', () => {
    const decision = client.decide(
      register({ redirectUris: ['https://app.example/', 'http://app.example/'] }),
      client.initial,
    );
    assert.ok(decision._tag === 'Left');
    assert.equal(
      decision.left.detail,
      'redirectUris/1 must be https, or http with a loopback address such as http://127.0.0.1/callback.',
    );
  });
});

const metadataChanges = fc.constantFrom<Partial<ClientMetadata>>(
  {},
  { name: 'Other' },
  { authentication: 'none' },
  service,
  { scopes: [reads, writes] },
  { scopes: [scope('security:read')] },
  { redirectUris: ['http://app.example/'] },
);
const reason = fc.constantFrom('Over.', 'Again.');
const credentialId = fc.constantFrom('s-1', 's-2').map((id) => issueSecret({ credentialId: id as never }).credentialId);
const commands = fc.oneof(
  metadataChanges.map(register),
  metadataChanges.map(change),
  fc
    .record({
      credentialId,
      at: fc.constantFrom(noon, evening),
      secretHash: fc.constantFrom('ab'.repeat(32), 'cd'.repeat(32)),
    })
    .map(issueSecret),
  credentialId.map((id) => ({ ...revokeSecret, credentialId: id })),
  reason.map((one) => ({ type: 'DisableClient' as const, applicationId: register().applicationId, reason: one })),
  reason.map((one) => ({ ...enable, reason: one })),
);

describe('clients, whatever happens', () => {
  it('do nothing the second time', () => twiceIsOnce(client, commands));

  it('accept every recorded fact in any order', () =>
    fc.assert(
      fc.property(fc.array(eventsOf(clients)), (events) => {
        assert.ok(['none', 'registered'].includes(fold(client, client.initial, events).kind));
      }),
    ));

  it('never hold what the caller did not, nor secrets without a use for them', () =>
    fc.assert(
      fc.property(historiesOf(client, commands), (history) => {
        const state = fold(client, client.initial, history);
        if (state.kind === 'none') return;
        assert.ok(!state.scopes.some((one) => one === 'security:read'));
        assert.ok(state.authentication !== 'none' || [...state.secrets.values()].every(({ revoked }) => revoked));
      }),
    ));
});
