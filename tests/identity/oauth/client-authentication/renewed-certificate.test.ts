/** Refresh tokens of applications that are known by a certificate, which does not last as long as they do. */
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { identityHeader, signCaller } from '../../../../infra/server/http/identity/identity-header';
import { clientCertificateOf } from '../../../../packages/resource-server/src/verification/client-certificate';
import { signer } from '../../../support/http/internal-keys';
import { selfSigned } from '../../../support/servers/self-signed';
import { authorizationRequest, codeOf, jsonOf, startWithSignedInPerson } from '../authorization/fixture';
import { register } from '../authorization/recorded-facts';
import { keyPair } from './fixture';

const period = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2027-01-01T00:00:00Z') };

/** Each of another key. */
const named = async (name: string) => {
  const { privateKey } = keyPair();
  const { rawData } = await selfSigned({ privateKey, subject: [['CN', name]], ...period });
  return clientCertificateOf(Buffer.from(rawData), true);
};

const presented = (certificate: Awaited<ReturnType<typeof named>>) => {
  const line = { method: 'POST', target: '/oauth/token' };
  const caller = { identity: undefined, requestId: 'request-1', certificate };
  return {
    [identityHeader]: signCaller(caller, { signer, line, now: Date.now() }),
  };
};

describe('an application that is known by its certificate', () => {
  it('continues with a renewed one, and not with another client’s', async () => {
    const stage = await startWithSignedInPerson();
    const app = { client_id: 'acme~tls' };
    const metadata = { authentication: 'tls_client_auth', tlsSubject: 'CN=svc', firstParty: true } as const;
    await register(stage, app.client_id, metadata);
    const code = await codeOf(
      stage.authorize(authorizationRequest({ ...app, scope: 'principals:read' }), stage.browser),
    );
    const first = await jsonOf(stage.redeem(code, app, presented(await named('svc'))));
    const refresh = (headers: Record<string, string>) =>
      stage.send(
        '/oauth/token',
        { ...app, grant_type: 'refresh_token', refresh_token: String(first.refresh_token) },
        headers,
      );
    assert.equal((await refresh(presented(await named('other')))).status, 401);
    assert.equal((await refresh({})).status, 401);
    const renewed = await named('svc');
    const next = await jsonOf(refresh(presented(renewed)));
    assert.deepEqual(decodeJwt(String(next.access_token)).cnf, { 'x5t#S256': renewed?.thumbprint });
    await stage.close();
  });
});
