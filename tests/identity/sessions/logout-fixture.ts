import { grantRoutes } from '../../../commands/identity/routes';
import { sessionOwnerKey } from '../../../commands/identity/sessions/current-session';
import { formatSessionCookie, sessionSecretHash } from '../../../commands/identity/sessions/session-cookie';
import type { SessionId } from '../../../domain/identity/ids';
import { principalStream, principals } from '../../../domain/identity/principal/events';
import { sessionStream, sessions } from '../../../domain/identity/session/events';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { identityHeader, signCaller } from '../../../infra/server/http/identity/identity-header';
import { signer } from '../../support/http/internal-keys';
import { jsonOf } from '../command-api';
import { noon, scope, tenantId } from '../examples';
import {
  open,
  openProcess,
  openShared,
  personId,
  record,
  registerApplication,
  registerPerson,
  sessionId,
  startProcess,
} from '../grants/fixture';
import { typesIn } from '../oauth/refresh-token/refresh-fixture';

export const logoutRedirect = 'https://app.example/bye';
const secret = 'S'.repeat(43);

export const startLogout = async () => {
  const shared = openShared();
  await registerPerson(shared);
  const clientId = await registerApplication(shared, 'app');
  const deps = openProcess(shared);
  const process = await startProcess(deps, grantRoutes(deps));
  const signIn = async (id: SessionId): Promise<string> => {
    const about = { sessionId: id, principalId: personId, secretHash: sessionSecretHash(secret), securityEpoch: 1 };
    const how = { authenticatedAt: noon, methods: ['pwd'], upstreamIssuer: null, device: null, sourceIp: null };
    const data = { ...about, ...how, expiresAt: plusSeconds(noon, 7_200) };
    await record(shared, [sessionStream(tenantId, id), sessions], [{ type: 'SessionOpened', data }]);
    await deps.browsers.live.begin(sessionOwnerKey(tenantId, personId), id, 7_200_000);
    const written = deps.browsers.cookies.write('account', formatSessionCookie({ tenantId, sessionId: id, secret }));
    return written.split(';')[0] as string;
  };
  /** The token is of a grant within the session, so that it names it. */
  const idToken = async (id: SessionId = sessionId, principalId = personId): Promise<string> => {
    const scopes = ['openid', 'principals:read'].map(scope);
    const { refreshToken } = await open(deps, clientId, { scopes, sessionId: id, principalId });
    return String((await jsonOf(process.refresh(refreshToken, clientId))).id_token);
  };
  const anotherPerson = async (): Promise<PrincipalId> => {
    const principalId = 'person-2' as PrincipalId;
    const registered = { principalId, tenantId, principalType: 'HUMAN', createdAt: noon } as const;
    await record(
      shared,
      [principalStream(tenantId, principalId), principals],
      [
        { type: 'PrincipalRegistered', data: registered },
        { type: 'RolesGranted', data: { principalId, roles: ['auditor'] } },
      ],
    );
    return principalId;
  };
  const leave = (fields: Record<string, string>, cookie?: string): Promise<Response> => {
    const query = String(new URLSearchParams(fields));
    const target = `/oauth/logout${query === '' ? '' : `?${query}`}`;
    const line = { method: 'GET', target };
    const signed = signCaller({ identity: undefined, requestId: 'r-1' }, { signer, line, now: Date.now() });
    const headers = { [identityHeader]: signed, ...(cookie === undefined ? {} : { cookie }) };
    return fetch(`${process.url}${target}`, { redirect: 'manual', headers });
  };
  const isOver = async (id: SessionId = sessionId): Promise<boolean> =>
    (await typesIn({ shared }, sessionStream(tenantId, id))).includes('identity.SessionEnded.v1');
  return { shared, process, clientId, signIn, anotherPerson, idToken, leave, isOver };
};

export type Stage = Awaited<ReturnType<typeof startLogout>>;
