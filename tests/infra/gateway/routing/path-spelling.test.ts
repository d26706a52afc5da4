/** Every route of every service, as it is written and in spellings that some server takes for the same. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import * as t from 'io-ts';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import { createSecurityState } from '../../../../packages/resource-server/src/revocation/security-state';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import { gatewayPolicyOf } from '../../../support/gateway/small-limits';
import { startHttpService } from '../../../support/http/http-service';
import { allRoutes } from '../../../support/http/served-routes';

const lineOf = ({ method, path }: BoundRoute): string => `${method} ${path}`;

/** As it is mounted, and answers which route it is instead of doing anything. */
const telling = ({ params: _, query: _query, body: _body, ...route }: BoundRoute): BoundRoute => ({
  ...route,
  query: t.UnknownRecord,
  handle: async () => ({ status: 200, body: { route: lineOf(route as BoundRoute) } }),
});

const groups = ['token', 'introspection', 'registration', 'keys', 'first-admin', 'authorization', 'sign-in', 'page'];
const allGroups = [...groups, 'decision', 'danger', 'read', 'command'];
/** Each group has a limit of its own, so that an answer shows which one applied. */
const roomOf = (group: string): number => 1_000_000 + allGroups.indexOf(group);
const policy = gatewayPolicyOf(
  ...allGroups.map((group) => ({
    name: group,
    by: [],
    when: { route: [group] },
    limit: { algorithm: 'fixed-window' as const, limit: roomOf(group), periodMilliseconds: 3_600_000 },
    onStoreError: 'allow' as const,
  })),
);

/** Routes of one form differ in names alone, so that a spelling of one shows what every server takes it for. */
const formOf = ({ method, path, access, sensitive, danger, limitGroup }: BoundRoute): string => {
  const segments = path.split('/').map((segment) => segment.replaceAll(/[A-Za-z0-9-]+/g, 'x'));
  const isPublic = access === 'public';
  return JSON.stringify([
    method,
    segments,
    isPublic,
    isPublic || access.scopes.length > 0,
    sensitive,
    danger,
    limitGroup,
  ]);
};

const oneOfEachForm = (routes: readonly BoundRoute[]): readonly BoundRoute[] => [
  ...new Map(routes.map((route) => [formOf(route), route])).values(),
];

const encoded = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

/** Of a path and its segments. */
const spellings: { readonly [what: string]: (path: string) => string } = {
  'as it is': (path) => path,
  'with a query': (path) => `${path}?x=/v1/things/`,
  'with a slash at the end': (path) => `${path}/`,
  'with two slashes at the beginning': (path) => `/${path}`,
  'with two slashes within': (path) => path.replace(/\/([^/]*)$/, '//$1'),
  'with a segment of one dot': (path) => path.replace(/\/([^/]*)$/, '/./$1'),
  'with a way there and back': (path) => path.replace(/\/([^/]*)$/, '/x/../$1'),
  'with a way there and back, encoded': (path) => path.replace(/\/([^/]*)$/, '/x/%2E%2e/$1'),
  'from within another route': (path) => `/v1/streams/tickets/../../..${path}`,
  'with a slash that is encoded': (path) => path.replace(/\/([^/]*)$/, '%2F$1'),
  'with a backslash that is encoded': (path) => path.replace(/\/([^/]*)$/, '%5c$1'),
  'with letters that are encoded': (path) =>
    path.replaceAll(/\/([a-z])/g, (_, letter: string) => `/${encoded(letter)}`),
  'with its last letter encoded': (path) => path.replace(/.$/, encoded),
  'with a colon that is encoded': (path) => path.replaceAll(':', '%3A'),
  'in capitals': (path) => path.toUpperCase(),
  'with a capital at the end': (path) => path.replace(/.$/, (letter) => letter.toUpperCase()),
  'with parameters of a segment': (path) => `${path};x=1`,
  'with parameters of the first segment': (path) => path.replace(/^\/([^/]*)/, '/$1;x=1'),
  'with a zero byte at the end': (path) => `${path}%00`,
  'with a blank at the end': (path) => `${path}%20`,
  'with a dot at the end': (path) => `${path}.`,
  'encoded twice': (path) => path.replaceAll(/\/([a-z])/g, (_, letter: string) => `/%25${encoded(letter).slice(1)}`),
};

interface Seen {
  readonly status: number;
  readonly code: string | undefined;
  readonly route: string | undefined;
  readonly limit: string | undefined;
}

/** As it is written: `fetch` would normalise it. */
const send = (port: number, method: string, path: string, token: string): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (bytes) => {
        text += bytes;
      });
      response.on('end', () => {
        const body = (text.startsWith('{') ? JSON.parse(text) : {}) as {
          readonly route?: string;
          readonly code?: string;
        };
        const limit = response.headers['x-ratelimit-limit'] as string | undefined;
        resolve({ status: response.statusCode ?? 0, code: body.code, route: body.route, limit });
      });
    });
    sent.on('error', reject).end();
  });

describe('a route in another spelling', function () {
  this.timeout(120_000);
  type Gateway = Awaited<ReturnType<typeof startGateway>>;
  const services: Awaited<ReturnType<typeof startHttpService>>[] = [];
  let fresh: Gateway;
  let stale: Gateway;
  let tokens = { none: '', every: '', late: '' };
  const { commands = [], processes = [], 'read-api': readApi = [], editor = [], ratelimit = [] } = allRoutes();
  // One gateway stands before both where there are no processes of their own.
  const upstream = { commands: [...commands, ...processes], 'read-api': readApi, editor, ratelimit };
  const routes = Object.values(upstream).flat();
  const byLine = new Map(routes.map((route) => [lineOf(route), route]));

  before(async () => {
    const start = async (all: readonly BoundRoute[]) => {
      const reporting = all.filter(({ path }) => path !== jwksRoute.path).map(telling);
      const service = await startHttpService([jwksRoute, ...reporting]);
      services.push(service);
      return service;
    };
    const started = {
      commands: await start(upstream.commands),
      readApi: await start(upstream['read-api']),
      editor: await start(upstream.editor),
      ratelimit: await start(upstream.ratelimit),
    };
    const ports = {
      commandsPort: started.commands.port,
      readApiPort: started.readApi.port,
      ratelimitPort: started.ratelimit.port,
      editorUrl: started.editor.url,
      policy,
      documented: 'all' as const,
    };
    const state = createSecurityState();
    state.apply({ kind: 'heartbeat', sequence: null });
    const at = (milliseconds: number) => ({ revocations: { ...state, stalenessMilliseconds: () => milliseconds } });
    fresh = await startGateway({ ...ports, checks: at(0) });
    stale = await startGateway({ ...ports, checks: at(6_000) });
    // Signed once: thousands of requests follow.
    tokens = {
      none: fresh.token({ scopes: [] }),
      every: fresh.token({ scopes: allScopes }),
      late: stale.token({ scopes: allScopes }),
    };
  });
  after(async () => {
    await Promise.all([fresh.close(), stale.close()]);
    await Promise.all(services.map(({ close }) => close()));
  });

  const scopesOf = ({ access }: BoundRoute): readonly string[] => (access === 'public' ? [] : access.scopes);
  const allScopes = [...new Set(routes.flatMap(scopesOf))];

  /** What was reached is what every check took it for. */
  const assertSame = async (found: BoundRoute, requestLine: string, [method, path]: readonly [string, string]) => {
    const isPublic = found.access === 'public';
    const refused = !isPublic && scopesOf(found).length > 0;
    const narrow = await send(fresh.port, method, path, tokens.none);
    assert.equal(narrow.status, refused ? 403 : 200, `${requestLine}: scopes`);
    const late = await send(stale.port, method, path, tokens.late);
    const isSensitive = found.sensitive === true || found.danger === true;
    assert.equal(late.code, isSensitive ? 'revocation-state-stale' : undefined, `${requestLine}: freshness`);
    const { limit } = await send(fresh.port, method, path, tokens.every);
    const isQuery = found.method === 'get' || found.question === true;
    const usual = found.danger === true ? 'danger' : isQuery ? 'read' : 'command';
    const group = found.limitGroup ?? usual;
    if (found.limitGroup !== undefined || !isPublic)
      assert.equal(limit, String(roomOf(group)), `${requestLine}: limits`);
  };

  for (const [what, spell] of Object.entries(spellings))
    it(`${what} is one route to every check, or none`, async () => {
      const reached: string[] = [];
      for (const route of what === 'as it is' ? byLine.values() : oneOfEachForm(routes)) {
        if (route.path === jwksRoute.path) continue;
        const path = route.path.replaceAll(/(?<!\\):[A-Za-z]+/g, '7').replaceAll('\\:', ':');
        const method = route.method.toUpperCase();
        const requestLine = `${method} ${spell(path)}`;
        const seen = await send(fresh.port, method, spell(path), tokens.every);
        if (seen.route === undefined) {
          assert.ok([400, 404, 405].includes(seen.status), `${requestLine}: ${seen.status}`);
          continue;
        }
        reached.push(seen.route);
        await assertSame(byLine.get(seen.route) as BoundRoute, requestLine, [method, spell(path)]);
      }
      if (what === 'as it is') assert.equal(reached.length, byLine.size - 1);
    });
});
