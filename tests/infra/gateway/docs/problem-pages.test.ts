import assert from 'node:assert/strict';
import { problemPage } from '../../../../infra/gateway/docs/problem-pages';
import { jsonOf, startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';

describe('pages of problems', () => {
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices();
  });
  after(() => gateway.close());

  it('are where the type of a problem leads', async () => {
    const refused = await jsonOf(await fetch(`${gateway.url}/v1/things`));
    const page = await fetch(`${gateway.url}${String(refused.type)}`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const html = await page.text();
    assert.match(html, /<h1>Authentication is required<\/h1>/);
    assert.match(html, /get a new one/);
    assert.doesNotMatch(html, /<script(?! src="\/pages\/theme\.js")|<style|style=|https?:\/\//);
  });

  it('are all listed, those of the services too, and each is there', async () => {
    const html = await (await fetch(`${gateway.url}/problems`)).text();
    const links = [...html.matchAll(/href="(\/problems\/[^"]+)"/g)].map(([, path]) => path as string);
    for (const code of ['thing-sold', 'invalid-input', 'token_revoked', 'revocation-state-stale'])
      assert.ok(links.includes(`/problems/${code}`), code);
    for (const path of links) assert.equal((await fetch(`${gateway.url}${path}`)).status, 200, path);
  });

  it('are not there for what is no code', async () => {
    for (const path of [
      '/problems/',
      '/problems/nothing',
      '/problems/__proto__',
      '/problems/constructor',
      '/problems/a/b',
    ])
      assert.equal((await fetch(`${gateway.url}${path}`)).status, 404, path);
  });

  it('escape the texts of a table', () => {
    const page = problemPage('/problems/x', { x: { status: 400, title: '<b>"&' } });
    assert.match(page?.content ?? '', /&lt;b&gt;&quot;&amp;/);
  });
});
