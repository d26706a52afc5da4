/** An enterprise provider with responses set by the test, which counts requests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

export interface Answering {
  claims: Record<string, unknown>;
  alg: 'ES256' | 'none' | 'HS256' | 'other-key';
  iss: string | undefined;
  metadata: Record<string, unknown>;
  /** Parameters of the last authorization request. */
  authorizationRequest: URLSearchParams;
}

export const clientPassword = 'a password between two services';

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

const signed = async (answering: Answering, claims: Record<string, unknown>, keys: readonly Key[]) => {
  const [own, other] = keys as [Key, Key];
  if (answering.alg === 'none') return new UnsecuredJWT(claims).encode();
  const token = new SignJWT(claims);
  if (answering.alg === 'HS256')
    return token.setProtectedHeader({ alg: 'HS256', kid: 'k' }).sign(Buffer.from(clientPassword));
  return token.setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(answering.alg === 'other-key' ? other : own);
};

export const startProvider = async () => {
  const pairs = [await generateKeyPair('ES256', { extractable: true }), await generateKeyPair('ES256')];
  const [jwk] = await Promise.all([exportJWK((pairs[0] as (typeof pairs)[0]).publicKey)]);
  const answering: Answering = {
    claims: {},
    alg: 'ES256',
    iss: undefined,
    metadata: {},
    authorizationRequest: new URLSearchParams(),
  };
  let origin = '';
  const answers: { readonly [path: string]: () => Promise<object> } = {
    '/.well-known/openid-configuration': async () => ({
      issuer: origin,
      authorization_endpoint: `${origin}/auth`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
      ...answering.metadata,
    }),
    '/jwks': async () => ({ keys: [{ ...jwk, kid: 'k', alg: 'ES256', use: 'sig' }] }),
    '/token': async () => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: origin, aud: 'septet', sub: 'ada', iat: now, exp: now + 300, auth_time: now };
      const claims = { ...usual, nonce: answering.authorizationRequest.get('nonce'), ...answering.claims };
      const idToken = await signed(
        answering,
        claims,
        pairs.map(({ privateKey }) => privateKey),
      );
      return { access_token: 'opaque', token_type: 'Bearer', expires_in: 300, id_token: idToken };
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
    if (answer === undefined) return void response.writeHead(404).end();
    void answer().then((body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** What the browser brings back when the provider agreed. */
  const back = (url: string, more: Record<string, string> = {}): string => {
    answering.authorizationRequest = new URL(url).searchParams;
    const iss = answering.iss ?? origin;
    const query = { code: 'a-code', state: answering.authorizationRequest.get('state') ?? '', iss, ...more };
    return `/sign-in/back?${new URLSearchParams(query)}`;
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin, answering, back, close };
};
