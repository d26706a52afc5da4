/** oidc-provider as its documentation has it: an adapter in memory, JWT access tokens under ES256, refresh tokens that rotate. */
import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';

interface Saved {
  readonly save: () => Promise<string>;
}
interface Opened extends Saved {
  readonly addOIDCScope: (scope: string) => void;
  readonly addResourceScope: (resource: string, scope: string) => void;
}
interface Listening {
  readonly address: () => AddressInfo;
  readonly once: (event: 'listening', then: () => void) => void;
}
interface Provider {
  readonly listen: (port: number, host: string) => Listening;
  readonly Client: { readonly find: (id: string) => Promise<unknown> };
  readonly Grant: new (fields: object) => Opened;
  readonly RefreshToken: new (fields: object) => Saved;
}
interface Payload {
  readonly grantId?: string;
  consumed?: number;
}

const resource = 'https://api.example';
const now = (): number => Math.floor(Date.now() / 1000);

/** The adapter that comes with it forgets all but the last thousand: this one keeps everything, and takes no longer. */
const stored = new Map<string, Payload>();
const ofGrant = new Map<string, Set<string>>();
const adapter = (name: string) => ({
  upsert: async (id: string, payload: Payload): Promise<void> => {
    stored.set(`${name}:${id}`, payload);
    const { grantId } = payload;
    if (grantId !== undefined) ofGrant.set(grantId, (ofGrant.get(grantId) ?? new Set()).add(`${name}:${id}`));
  },
  find: async (id: string): Promise<Payload | undefined> => stored.get(`${name}:${id}`),
  consume: async (id: string): Promise<void> => {
    const found = stored.get(`${name}:${id}`);
    if (found !== undefined) found.consumed = now();
  },
  destroy: async (id: string): Promise<void> => void stored.delete(`${name}:${id}`),
  revokeByGrantId: async (grantId: string): Promise<void> => {
    for (const key of ofGrant.get(grantId) ?? []) stored.delete(key);
    ofGrant.delete(grantId);
  },
});

const client = (id: string, secret: object) => ({
  client_id: id,
  redirect_uris: ['https://app.example/callback'],
  response_types: ['code'],
  ...secret,
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
});

const configuration = {
  adapter,
  clients: [
    client('confidential', { client_secret: 'secret', token_endpoint_auth_method: 'client_secret_post' }),
    { ...client('open', { token_endpoint_auth_method: 'none' }), grant_types: ['authorization_code', 'refresh_token'] },
  ],
  jwks: {
    keys: [
      {
        ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
        alg: 'ES256',
        use: 'sig',
      },
    ],
  },
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  scopes: ['openid', 'offline_access', 'read'],
  rotateRefreshToken: true,
  findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'read',
        accessTokenFormat: 'jwt',
        accessTokenTTL: 900,
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
};

const mint = async ({ Client, Grant, RefreshToken }: Provider, clientId: string): Promise<string> => {
  const opened = new Grant({ accountId: 'person-1', clientId });
  opened.addOIDCScope('offline_access');
  opened.addResourceScope(resource, 'read');
  const grantId = await opened.save();
  const whose = { accountId: 'person-1', client: await Client.find(clientId), grantId, gty: 'authorization_code' };
  const what = { scope: 'offline_access read', resource, authTime: now(), rotations: 0, iiat: now() };
  return new RefreshToken({ ...whose, ...what }).save();
};

interface Wanted {
  readonly clientId: string;
  readonly count: number;
}

/** It has no types and is a module of the other kind. */
const { default: open } = require('oidc-provider') as { default: new (issuer: string, options: object) => Provider };
const provider = new open('http://127.0.0.1', configuration);
const server = provider.listen(0, '127.0.0.1');
server.once('listening', () => process.send?.({ port: server.address().port }));
process.on('message', ({ clientId, count }: Wanted) => {
  Promise.all(Array.from({ length: count }, () => mint(provider, clientId))).then(
    (tokens) => process.send?.({ tokens }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
