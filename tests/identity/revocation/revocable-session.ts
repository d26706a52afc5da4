/** A signed-in person with everything that a revocation can name. */

import { refreshTokenHash } from '../../../commands/identity/oauth/refresh-token/refresh-token';
import type { RevocableClaims } from '../../../packages/resource-server/src/revocation/revocation-checker';
import { now, type startRevocation } from './fixture';

type Stage = Awaited<ReturnType<typeof startRevocation>>;

export const grantId = 'g-1';
export const familyId = 'f-1';
/** The first one of the family. */
export const refreshToken = `acme.${familyId}.0.${'s'.repeat(43)}`;
export const principalId = 'p-1';
export const sessionId = 'ab'.repeat(32);
export const at = '2026-01-31T11:00:00.000Z';
export const clientId = 'acme~app';
export const claims: RevocableClaims = {
  tenant_id: 'acme',
  sub: principalId,
  jti: 'jti-1',
  iat: now / 1000,
  security_epoch: 1,
  client_id: clientId,
  gid: grantId,
  sid: sessionId,
};
const of = (aggregate: string, id: string, tenant = 'acme') => `identity.${aggregate}-${tenant}.${id}`;

export const recordRevocableSession = async ({ record }: Stage): Promise<void> => {
  await record(of('principal', principalId), {
    type: 'PrincipalRegistered',
    data: { principalId, tenantId: 'acme', principalType: 'HUMAN', createdAt: at },
  });
  const opened = { principalId, principalType: 'HUMAN', clientId, scopes: [], audience: [], sessionId, methods: [] };
  await record(of('grant', grantId), {
    type: 'GrantOpened',
    data: {
      ...opened,
      grantId,
      refreshFamilyId: familyId,
      workload: null,
      authenticatedAt: at,
      createdAt: at,
      expiresAt: at,
      clientEpoch: 0,
    },
  });
  const bound = { jkt: null, x5t: null, hash: refreshTokenHash(refreshToken), securityEpoch: 1, idleSeconds: 60 };
  await record(of('refreshFamily', familyId), {
    type: 'FamilyOpened',
    data: { ...bound, familyId, grantId, principalId, clientId, openedAt: at, expiresAt: '2026-03-01T00:00:00.000Z' },
  });
  const personal = { device: null, sourceIp: null, upstreamIssuer: null };
  await record(of('session', sessionId), {
    type: 'SessionOpened',
    data: {
      sessionId,
      principalId,
      secretHash: 'ef'.repeat(32),
      securityEpoch: 1,
      methods: [],
      ...personal,
      authenticatedAt: at,
      expiresAt: '2026-03-01T00:00:00.000Z',
    },
  });
  const metadata = {
    name: 'App',
    redirectUris: [],
    postLogoutRedirectUris: [],
    grantTypes: [],
    authentication: 'none',
    jwks: null,
    jwksUri: null,
    tlsSubject: null,
    scopes: [],
    audiences: [],
    dpopBound: false,
    certificateBound: false,
    requirePushed: false,
    firstParty: false,
    servicePrincipalId: null,
    pkce: 'required' as const,
    exactAuthentication: false,
    refreshIdleSeconds: 60,
    refreshAbsoluteSeconds: 60,
  };
  await record(of('client', 'app'), {
    type: 'ClientRegistered',
    data: { applicationId: 'app', tenantId: 'acme', createdAt: at, ...metadata },
  });
};
