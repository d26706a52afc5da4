import assert from 'node:assert/strict';
import { isSensitive } from '../../../../infra/gateway/authentication/revocation-freshness';
import type { Upstream } from '../../../../infra/gateway/proxy/upstreams';
import { createRouteTable, findRoute, requiredScopesOf } from '../../../../infra/gateway/routing/route-table';
import { allRoutes, documentationOf, routeIn } from '../../../support/http/served-routes';

const service = {} as Upstream;
const components = { schemas: {}, securitySchemes: {} };
const things = {
  '/v1/things': {
    get: { security: [{ bearer: ['things:read'] }] },
    post: { security: [{ bearer: ['things:write'] }], 'x-sensitive': true, 'x-limit-group': 'danger' },
  },
  '/v1/things/{thingId}': { get: { security: [{ bearer: ['things:read'] }] } },
  '/v1/things/{thingId}:copy': { post: { security: [{ bearer: ['things:copy'] }] } },
  '/v1/things/stream': { get: { security: [{ bearer: ['things:follow'] }] } },
};
const part = { paths: things, 'x-pages': { '/sign-in': { get: { security: [] } } }, components };

describe('routes that the gateway has learnt', () => {
  const routes = createRouteTable(documentationOf(part));
  const match = (method: string, target: string) => routes.match(service, method, target);
  const scopes = (method: string, target: string) => requiredScopesOf(match(method, target));

  it('are found by method and path, fixed segments before parameters', () => {
    assert.deepEqual(scopes('GET', '/v1/things?limit=3'), ['things:read']);
    assert.deepEqual(scopes('HEAD', '/v1/things/t-1'), ['things:read']);
    assert.deepEqual(scopes('GET', '/v1/things/stream'), ['things:follow']);
    assert.deepEqual(scopes('POST', '/v1/things/t-1:copy'), ['things:copy']);
    assert.equal(match('GET', '/sign-in').kind, 'route');
    assert.deepEqual(match('POST', '/v1/things'), {
      kind: 'route',
      route: { scopes: ['things:write'], sensitive: true, limitGroup: 'danger', operation: undefined },
    });
  });

  it('are none by another spelling, and of another method are said to be', () => {
    for (const path of ['/v1/things/', '/V1/things', '/v1/Things', '/v1/things;a', '/v1/things/t-1/', '/sign-in/'])
      assert.equal(match('GET', path).kind, 'not-found', path);
    assert.deepEqual(match('DELETE', '/v1/things'), { kind: 'method-not-allowed', allow: 'GET, HEAD, POST' });
    assert.equal(match('OPTIONS', '/v1/things').kind, 'method-not-allowed');
  });

  it('leave every change sensitive until the service has said which are, and scopes to the service', () => {
    const none = createRouteTable(documentationOf(undefined)).match(service, 'PUT', '/v1/things/t-1');
    assert.deepEqual(none, { kind: 'unlearnt', scopes: [] });
    assert.deepEqual([isSensitive(none, 'PUT'), isSensitive(none, 'GET')], [true, false]);
    // A document of a version that did not list its pages: no route of it counts as harmless, or as missing.
    const { 'x-pages': _, ...earlier } = part;
    const known = createRouteTable(documentationOf(earlier));
    assert.deepEqual(known.match(service, 'GET', '/v1/things'), { kind: 'unlearnt', scopes: ['things:read'] });
    assert.deepEqual(known.match(service, 'GET', '/v1/others'), { kind: 'unlearnt', scopes: [] });
  });

  it('are asked for once more before one is said not to be there', async () => {
    let learnt: typeof part | undefined = { ...part, paths: {} as typeof things };
    const documentation = Object.assign(documentationOf(part), {
      partOf: () => learnt,
      refresh: async () => {
        learnt = part;
      },
    });
    const request = { method: 'GET', url: '/v1/things' };
    const found = await findRoute(createRouteTable(documentation), { upstream: service, all: [service], request });
    assert.equal(found.kind, 'route');
  });

  it('are of all services where none takes the method: queries and commands of a path are of different ones', async () => {
    const [commands, queries] = [{} as Upstream, {} as Upstream];
    const read = { get: { security: [] } };
    const parts = new Map<Upstream, ReturnType<ReturnType<typeof documentationOf>['partOf']>>([
      [commands, { ...part, paths: { '/v1/things': { post: { security: [] } } } }],
      [queries, { ...part, paths: { '/v1/things': read, '/v1/reports/{reportId}': read } }],
    ]);
    const documentation = Object.assign(documentationOf(part), { partOf: (one: Upstream) => parts.get(one) });
    const find = (method: string, url: string) =>
      findRoute(createRouteTable(documentation), {
        upstream: commands,
        all: [commands, queries],
        request: { method, url },
      });
    assert.deepEqual(await find('PUT', '/v1/things?a=b'), { kind: 'method-not-allowed', allow: 'GET, HEAD, POST' });
    assert.deepEqual(await find('PUT', '/v1/reports/r-1'), { kind: 'method-not-allowed', allow: 'GET, HEAD' });
    assert.equal((await find('PUT', '/v1/nothing')).kind, 'not-found');
    assert.equal((await find('POST', '/v1/things')).kind, 'route');
  });
});

describe('what is said of every route that changes something', () => {
  const changes = Object.entries(allRoutes()).flatMap(([name, routes]) =>
    routes.filter(({ method }) => method !== 'get').map((route) => ({ name, route })),
  );
  const lineOf = ({ route }: (typeof changes)[number]): string =>
    `${route.method.toUpperCase()} ${route.path.replaceAll('\\:', ':')}`;

  it('is whether it is sensitive, but for pages, which ask for the session itself', () => {
    const undecided = changes.filter(({ route: { page, danger, sensitive } }) => {
      if (page === true) return sensitive !== undefined || danger !== undefined;
      return danger === true ? sensitive === false : sensitive === undefined;
    });
    assert.deepEqual(undecided.map(lineOf), []);
  });

  it('is danger where authority is given away or something cannot be undone, and never where it is taken back', () => {
    const dangers = changes.filter(({ route }) => route.danger === true).map(lineOf);
    assert.deepEqual(dangers.sort(), [
      'DELETE /api/videos/:videoId',
      'DELETE /v1/file-folders/:folderId',
      'DELETE /v1/files/:fileId',
      'DELETE /v1/workflow/repositories/:repoId',
      'POST /api/videos/:videoId/recall',
      'POST /api/videos/:videoId/takedown',
      'POST /oauth/register',
      'POST /v1/apis',
      'POST /v1/approvals/:approvalId/approve',
      'POST /v1/clients',
      'POST /v1/clients/:applicationId/enable',
      'POST /v1/clients/:applicationId/secrets',
      'POST /v1/delegations',
      'POST /v1/people',
      'POST /v1/platform/work/dead-letters/:jobId/drop',
      'POST /v1/policy/off',
      'POST /v1/policy/versions/:policyVersion/enforce',
      'POST /v1/principals/:principalId/credentials',
      'POST /v1/principals/:principalId/enrolments',
      'POST /v1/principals/:principalId/reactivate',
      'POST /v1/principals/:principalId/recover',
      'POST /v1/principals/:principalId/roles/grant',
      'POST /v1/principals/:principalId/scopes/grant',
      'POST /v1/privacy/forget',
      'POST /v1/signing-keys/rotate',
      'POST /v1/tenants',
      'POST /v1/trust-rules',
      'POST /v1/workflow/runner-tokens',
      'POST /v1/workload-issuers',
      'PUT /v1/apis/:apiId',
      'PUT /v1/apis/:apiId/tools/:tool',
      'PUT /v1/clients/:applicationId',
      'PUT /v1/credential-policy',
      'PUT /v1/registration-policy',
      'PUT /v1/security/detection/rules/:rule',
      'PUT /v1/security/detection/runtimes/:principalId',
      'PUT /v1/sign-in-policy',
      'PUT /v1/trust-rules/:ruleId',
      'PUT /v1/workload-issuers/:issuerId',
    ]);
    assert.ok(isSensitive(routeIn('commands')('PUT', '/v1/clients/app'), 'PUT'));
  });
});
