/** A gateway with sessions, before a command API that issues tokens for one client. */
import { left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fault } from '../../../domain/kernel/rejection';
import { memoryExpiringStore } from '../../../infra/adapters/redis/identity/memory-expiring-store';
import { type Console, openConsole } from '../../../infra/gateway/bff/console';
import type { ExpiringStore } from '../../../infra/ports/identity/expiring-store';
import type { BoundRoute } from '../../../infra/server/http/routing/route';
import { startHttpService } from '../http/http-service';
import { jwksRoute, startGateway, tokenAt } from './gateway';
import { echoRoute } from './gateway-services';

export const origin = 'http://septet.test';
export const fromPage = { origin, 'septet-console': '1', 'content-type': 'application/json' };
export const client = { clientId: 'acme.p-1', clientSecret: 'a-secret' };

/** Settings of the fake command API; counts issued tokens. */
export interface Issuer {
  refuses: boolean;
  isAway: boolean;
  issued: number;
  epoch: number;
  lifeSeconds: number;
}

const plain = { summary: 'A test route.', access: 'public' as const };

const tokenRoute = (issuer: Issuer): BoundRoute => ({
  ...plain,
  method: 'post',
  path: '/oauth/token',
  operation: 'issueToken',
  body: t.UnknownRecord as never,
  bodyType: 'form',
  answers: { 200: { description: 'A token.' } },
  handle: async ({ body }) => {
    const { client_secret: secret } = body as { readonly client_secret?: string };
    if (issuer.isAway) return { status: 503, body: { error: 'temporarily_unavailable' } };
    if (issuer.refuses || secret !== client.clientSecret)
      return { status: 401, body: { error: 'invalid_client', error_description: 'The secret is not valid.' } };
    issuer.issued += 1;
    const now = Date.now();
    const claims = { jti: `jti-${issuer.issued}`, security_epoch: issuer.epoch };
    const token = tokenAt(now, { ...claims, exp: Math.floor(now / 1_000) + issuer.lifeSeconds });
    return { status: 200, body: { access_token: token, expires_in: issuer.lifeSeconds } };
  },
});

/** Without pages: what they are made of is tested by itself. */
const sessionsOnly = (options: Parameters<typeof openConsole>[0]): Console =>
  openConsole({
    ...options,
    bundle: right({
      begin: {
        policies: [],
        script: '',
        imports: [],
        watch: { script: '', imports: [], style: '', fonts: [] },
        theme: '',
        style: '',
        icon: '',
        fonts: [],
        pages: { style: '', passkeys: '', passwordFields: '' },
      },
      assets: [],
    }),
  });

/** `others` stand in the place of routes with the same path. */
export const startSessions = async (publicUrl = origin, others: readonly BoundRoute[] = []) => {
  const issuer: Issuer = { refuses: false, isAway: false, issued: 0, epoch: 1, lifeSeconds: 600 };
  const things = echoRoute('post', '/v1/things', { scopes: ['things:write'] });
  const usual = [jwksRoute, tokenRoute(issuer), things];
  const isReplaced = ({ path }: BoundRoute): boolean => others.some((other) => other.path === path);
  const commands = await startHttpService([...usual.filter((one) => !isReplaced(one)), ...others]);
  const readApi = await startHttpService([echoRoute('get', '/v1/things', { scopes: ['things:read'] })]);
  const clock = { skew: 0 };
  const stored = memoryExpiringStore(() => Date.now() + clock.skew);
  const outage = { isAway: false };
  const away = left(fault('service-unavailable', 'Redis does not answer.'));
  const sessionStore: ExpiringStore = {
    find: async (name) => (outage.isAway ? away : stored.find(name)),
    put: async (...put) => (outage.isAway ? away : stored.put(...put)),
    replace: async (...replaced) => (outage.isAway ? away : stored.replace(...replaced)),
    remove: async (name) => (outage.isAway ? away : stored.remove(name)),
    close: stored.close,
  };
  const gateway = await startGateway({
    commandsPort: commands.port,
    readApiPort: readApi.port,
    console: (parts) => sessionsOnly({ ...parts, sessionStore, publicUrl, now: () => Date.now() + clock.skew }),
  });
  const session = (method: string, headers: Record<string, string> = {}, body?: object) =>
    fetch(`${gateway.url}/console/session`, {
      method,
      headers: { ...fromPage, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const signIn = async (credentials: object = client, headers: Record<string, string> = {}) => {
    const response = await session('POST', headers, credentials);
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { response, cookie };
  };
  const close = async (): Promise<void> => {
    await gateway.close();
    await commands.close();
    await readApi.close();
  };
  return { ...gateway, issuer, clock, outage, sessionStore, session, signIn, close };
};
