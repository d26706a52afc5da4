/** An issuer of workloads' credentials over HTTP: discovery, keys that rotate, and tokens signed by them. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export type IssuerAlgorithm = 'RS256' | 'ES256';
export type ClaimSet = Readonly<Record<string, unknown>>;

export interface SigningKey {
  readonly kid: string;
  readonly alg: IssuerAlgorithm;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export const makeSigningKey = async (alg: IssuerAlgorithm = 'RS256', use = 'sig'): Promise<SigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const kid = randomUUID();
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use } };
};

export const signClaims = (
  { kid, alg, privateKey }: SigningKey,
  claims: ClaimSet,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg, kid, typ: 'JWT', ...header }).sign(privateKey);

export const startWorkloadIssuer = async (alg: IssuerAlgorithm = 'RS256', now: () => number = Date.now) => {
  let keys = [await makeSigningKey(alg)];
  let fetches = 0;
  const server = createServer((request, response) => {
    const answer = (content: object): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    if (request.url === '/.well-known/openid-configuration') return answer({ issuer: url, jwks_uri: `${url}/keys` });
    if (request.url !== '/keys') return void response.writeHead(404).end();
    fetches += 1;
    answer({ keys: keys.map(({ publicJwk }) => publicJwk) });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const newestKey = (): SigningKey => keys.at(-1) as SigningKey;
  return {
    url,
    newestKey,
    fetches: (): number => fetches,
    publish: (published: readonly SigningKey[]): void => {
      keys = [...published];
    },
    /** With `iss`, and for five minutes unless the claims name an end. */
    sign: (claims: ClaimSet, header: Readonly<Record<string, unknown>> = {}): Promise<string> => {
      const iat = Math.floor(now() / 1_000);
      return signClaims(newestKey(), { iss: url, iat, nbf: iat, exp: iat + 300, ...claims }, header);
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
};

export type WorkloadIssuer = Awaited<ReturnType<typeof startWorkloadIssuer>>;
