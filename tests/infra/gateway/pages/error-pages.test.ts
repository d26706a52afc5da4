/** What the gateway refuses by itself, as browsers and as programs see it. */
import assert from 'node:assert/strict';
import { type Dispatcher, request } from 'undici';
import { isNavigation } from '../../../../infra/gateway/error-response';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import { echoRoute } from '../../../support/gateway/gateway-services';
import { startHttpService } from '../../../support/http/http-service';

const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
};

describe('who is shown a page', () => {
  const navigates = (url: string, headers: object = browser, method = 'GET') =>
    isNavigation({ url, method, headers } as Parameters<typeof isNavigation>[0]);

  it('is a browser on its way to one', () => {
    for (const url of ['/sign-in', '/account/totp?x', '/oauth/authorize?a=b', '/console', '/console/session/begin'])
      assert.ok(navigates(url), url);
    assert.ok(navigates('/sign-in', { accept: 'text/html' }));
    assert.ok(navigates('/sign-in', browser, 'POST'));
  });
  it('is a browser that navigates to a page, not a program or a script', () => {
    for (const url of [
      '/v1/principals',
      '/oauth/token',
      '/console/session',
      '/console/session?x',
      '/sign-inn',
      '/blobs/a',
    ])
      assert.equal(navigates(url), false, url);
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/html-x' }])
      assert.equal(navigates('/sign-in', headers), false);
    assert.equal(navigates('/sign-in', { ...browser, 'sec-fetch-mode': 'cors' }), false);
  });
});

describe('a gateway before people, when nothing is behind it', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  before(async () => {
    const page = { ...echoRoute('get', '/sign-in', 'public'), page: true as const };
    const service = await startHttpService([jwksRoute, page, { ...page, method: 'post' }]);
    gateway = await startGateway({ commandsPort: service.port, readApiPort: service.port, bodyLimit: 100 });
    await service.close();
  });
  after(() => gateway.close());

  /** Not by `fetch`, which sets `sec-fetch-mode` itself. */
  const open = (more: Parameters<typeof request>[1] = {}) =>
    request(`${gateway.url}/sign-in`, { ...more, headers: { ...browser, ...(more.headers as object) } });
  const isOwnPage = async (answer: Dispatcher.ResponseData<unknown>, status: number, words: RegExp): Promise<void> => {
    const { statusCode, headers } = answer;
    const text = await answer.body.text();
    assert.deepEqual([statusCode, headers['content-type']], [status, 'text/html; charset=utf-8'], text);
    assert.match(text, words);
    const policy = /^default-src 'none'; script-src 'self'; style-src 'self'.*frame-ancestors 'none'$/;
    assert.match(String(headers['content-security-policy']), policy);
    assert.deepEqual([headers['cache-control'], headers['x-frame-options']], ['no-store', 'DENY']);
  };

  it('tells them to come back, without which part of it is away', async () => {
    const answer = await open();
    assert.equal(answer.headers['retry-after'], '1');
    await isOwnPage(answer, 503, /<h1>Not right now<\/h1>/);
  });
  it('tells them what was wrong with what they sent', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await open({ method: 'POST', headers, body: `a=${'x'.repeat(200)}` });
    await isOwnPage(answer, 413, /The body may hold at most 100 bytes\./);
  });
  it('says it to programs as ever', async () => {
    for (const headers of [{ accept: '*/*' }, { accept: 'application/json' }, { 'sec-fetch-mode': 'cors' }]) {
      const answer = await open({ headers });
      assert.equal(answer.headers['content-type'], 'application/problem+json');
      assert.equal(((await answer.body.json()) as { code: string }).code, 'service-unavailable');
    }
  });
});
