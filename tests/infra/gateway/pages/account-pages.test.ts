import assert from 'node:assert/strict';
import { resolveDestination } from '../../../../infra/gateway/routing/destinations';
import { accountCookies } from '../../../../infra/server/http/identity/account-cookies';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import { startHttpService } from '../../../support/http/http-service';

const pageRoute = (path: string): BoundRoute => ({
  method: 'get',
  path,
  operation: 'show',
  summary: 'A page.',
  access: 'public',
  page: true,
  answers: { 200: { description: 'A page.' } },
  handle: async ({ headers }) => ({
    status: 200,
    page: JSON.stringify(headers),
    headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'self'", 'X-Frame-Options': 'DENY' },
    cookies: ['septet-visit-80=a; Path=/', 'septet-account-80=b; Path=/'],
  }),
});

describe('people’s own pages, through the gateway', () => {
  const paths = ['/sign-in', '/account', '/oauth/authorize', '/oauth/userinfo', '/oauth/token'];
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let service: Awaited<ReturnType<typeof startHttpService>>;
  before(async () => {
    service = await startHttpService([jwksRoute, ...paths.map(pageRoute)]);
    const cookies = accountCookies('http://septet.test');
    const ports = { commandsPort: service.port, readApiPort: service.port };
    gateway = await startGateway({ ...ports, accountCookies: cookies });
  });
  after(() => Promise.all([gateway.close(), service.close()]));

  const cookie = 'septet-account-80=mine; other=x; septet-80=console; septet-visit-80=v; septet-account-81=port';
  const seen = async (path: string) => {
    const answer = await fetch(`${gateway.url}${path}`, { headers: { cookie } });
    return { answer, headers: JSON.parse(await answer.text()) as Record<string, string> };
  };

  it('take and set their own cookies there, and nowhere else', async () => {
    for (const path of paths) {
      const { answer, headers } = await seen(path);
      const isPage = ['/sign-in', '/account', '/oauth/authorize'].includes(path);
      assert.equal(headers.cookie, isPage ? 'septet-account-80=mine; septet-visit-80=v' : undefined, path);
      assert.equal(answer.headers.getSetCookie().length, isPage ? 2 : 0, path);
    }
  });

  it('say themselves what a browser may do with them, and only they do', async () => {
    const policyOf = async (path: string) => (await seen(path)).answer.headers.get('content-security-policy') ?? '';
    assert.equal(await policyOf('/account'), "default-src 'none'; style-src 'self'");
    assert.match(await policyOf('/oauth/userinfo'), /^default-src 'none'; frame-ancestors 'none'$/);
    assert.equal((await seen('/sign-in')).answer.headers.get('x-frame-options'), 'DENY');
  });

  it('are known by whole names', () => {
    const isPage = (target: string) => resolveDestination('POST', target)?.browser === true;
    for (const target of ['/sign-in', '/sign-in/code', '/device?x', '/consent', '/account/totp', '/oauth/logout'])
      assert.ok(isPage(target), target);
    for (const target of ['/sign-inx', '/accounts', '/oauth/token', '/oauth/authorizex', '/v1/account', '/x/sign-in'])
      assert.ok(!isPage(target), target);
  });
});
