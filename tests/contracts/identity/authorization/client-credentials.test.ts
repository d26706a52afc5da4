/** Services that sign who they are, as they meet the server: through the gateway, answered by whichever of several processes. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import type { ClientMetadata } from '../../../../domain/identity/client/events';
import { principalStream, principals } from '../../../../domain/identity/principal/events';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import { reads } from '../../../identity/clients/examples';
import { register } from '../../../identity/oauth/authorization/recorded-facts';
import { startAuthorizationProcesses } from './fixture';

type Stage = Awaited<ReturnType<typeof startAuthorizationProcesses>>;

const clientId = 'acme~signs';
const tenantId = 'acme' as TenantId;
const principalId = 'service' as PrincipalId;
const grant = 'client_credentials';
const insecure = { [oauth.allowInsecureRequests]: true } as const;

const settle = async ({ store, clock }: Stage['world']): Promise<void> => {
  const data = { principalId, tenantId, principalType: 'PIPELINE' as const, createdAt: clock.now() };
  const event = principals.encode({ type: 'PrincipalRegistered', data });
  const stored = { id: randomUUID(), ...event, metadata: {} };
  const appended = await store.append(principalStream(tenantId, principalId), 'no-stream', [stored]);
  assert.equal(appended._tag, 'Right');
};

describe('services that sign who they are, through the gateway', function () {
  this.timeout(120_000);
  let stage: Stage;
  let keys: Awaited<ReturnType<typeof oauth.generateKeyPair>>;
  before(async () => {
    stage = await startAuthorizationProcesses();
    await settle(stage.world);
    keys = await oauth.generateKeyPair('ES256', { extractable: true });
    const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', keys.publicKey);
    const metadata: Partial<ClientMetadata> = {
      grantTypes: [grant],
      redirectUris: [],
      authentication: 'private_key_jwt',
      scopes: [reads],
      servicePrincipalId: principalId,
      dpopBound: true,
      jwks: { keys: [{ kty: 'EC', crv: 'P-256', x, y }] },
    };
    await register(stage.world, clientId, metadata);
  });
  after(() => stage.close());

  const discovered = async () => {
    const issuer = new URL(stage.authorizationServer.issuer);
    const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    return oauth.processDiscoveryResponse(issuer, found);
  };

  it('get key-bound tokens with a third-party client library', async () => {
    const server = await discovered();
    const client: oauth.Client = { client_id: clientId };
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const requestToken = async () => {
      const by = oauth.PrivateKeyJwt(keys.privateKey);
      const answer = await oauth.clientCredentialsGrantRequest(server, client, by, {}, { ...insecure, DPoP });
      return oauth.processClientCredentialsResponse(server, client, answer);
    };
    // The first answer gives the nonce that the proof needs.
    await assert.rejects(requestToken(), (error) => oauth.isDPoPNonceError(error));
    const { token_type: type, access_token: token, scope } = await requestToken();
    assert.deepEqual([type, scope], ['dpop', 'principals:read']);
    assert.equal(token.split('.').length, 3);
  });

  const proofless = (assertion: string): Promise<Response> =>
    fetch(`${stage.authorizationServer.issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: grant,
        client_assertion: assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      }),
    });

  it('of several processes that get an assertion at once, one accepts it', async () => {
    const now = Math.floor(Date.now() / 1000);
    const assertion = await new SignJWT({ jti: randomUUID(), exp: now + 60 })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(stage.authorizationServer.issuer)
      .sign(keys.privateKey);
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => (await (await proofless(assertion)).json()) as { error: string }),
    );
    const errors = answers.map(({ error }) => error).sort();
    // The last client is known but has no proof yet; the others are unknown.
    assert.deepEqual(errors, [...Array.from({ length: 9 }, () => 'invalid_client'), 'invalid_dpop_proof']);
  });
});
