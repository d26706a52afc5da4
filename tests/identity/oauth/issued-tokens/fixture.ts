/** The endpoints about tokens over twins, with applications that introspect each other's. */
import { grantRoutes } from '../../../../commands/identity/routes';
import { jsonOf } from '../../command-api';
import { scope } from '../../examples';
import {
  appSecret,
  open,
  openProcess,
  openShared,
  registerApplication,
  registerPerson,
  startProcess,
} from '../../grants/fixture';

export const startIssuedTokens = async () => {
  const shared = openShared();
  await registerPerson(shared);
  const authentication = 'client_secret_post' as const;
  const app = await registerApplication(shared, 'app', { authentication });
  const service = await registerApplication(shared, 'service', {
    authentication,
    scopes: [scope('tokens:introspect')],
  });
  const stranger = await registerApplication(shared, 'stranger', {
    authentication,
    audiences: ['https://files.example'],
  });
  const open_ = await registerApplication(shared, 'open');
  const deps = openProcess(shared);
  const process = await startProcess(deps, grantRoutes(deps));
  const proof = { client_secret: appSecret };
  const tokens = async (clientId = app) => {
    const opened = await open(deps, clientId);
    const body = await jsonOf(process.refresh(opened.refreshToken, clientId, clientId === open_ ? {} : proof));
    return { ...opened, access: String(body.access_token), current: String(body.refresh_token) };
  };
  const introspect = async (token: string, clientId: string): Promise<Record<string, unknown>> =>
    jsonOf(process.post('/oauth/introspect', { token, client_id: clientId, ...proof }));
  const revoke = (token: string, clientId: string): Promise<Response> =>
    process.post('/oauth/revoke', { token, client_id: clientId, ...(clientId === open_ ? {} : proof) });
  return { shared, deps, process, app, service, stranger, open: open_, tokens, introspect, revoke };
};

export type Stage = Awaited<ReturnType<typeof startIssuedTokens>>;
