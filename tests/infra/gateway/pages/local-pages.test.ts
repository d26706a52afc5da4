import assert from 'node:assert/strict';
import {
  type Json,
  jsonOf,
  startGatewayWithServices,
  type TestedGateway,
} from '../../../support/gateway/gateway-services';

describe('gateway, its own pages', () => {
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices();
  });
  after(() => gateway.close());

  it('shows the documentation of all services in one document', async () => {
    const document = await jsonOf(await fetch(`${gateway.url}/openapi.json`));
    assert.deepEqual(Object.keys(document.paths ?? {}).sort(), [
      '/oauth/jwks',
      '/v1/admin',
      '/v1/bootstrap',
      '/v1/sign-in-policy',
      '/v1/stream',
      '/v1/things',
    ]);
    assert.deepEqual(Object.keys((document.paths as Json)['/v1/things'] ?? {}).sort(), ['get', 'post']);
  });
  it('serves the documentation page from its own files, without anything inline', async () => {
    const start = await fetch(`${gateway.url}/`);
    assert.equal(start.url, `${gateway.url}/docs`);
    const html = await start.text();
    assert.doesNotMatch(html, /<script>|<style|style=|(?:src|href)="https?:/);
    assert.doesNotMatch(start.headers.get('content-security-policy') ?? '', /unsafe/);
    // The theme is the console's, which this gateway does not serve.
    for (const [, path] of html.replace('"/pages/theme.js"', '').matchAll(/(?:src|href)="([^"]+)"/g))
      assert.equal((await fetch(`${gateway.url}${path}`)).status, 200, path);
  });
  it('says how it is, and what stands behind it', async () => {
    await gateway.call('/v1/things');
    const health = await fetch(`${gateway.url}/healthz`);
    const { parts } = await jsonOf(health);
    assert.deepEqual((parts as Json)['signing-keys'], { ok: true });
    assert.equal((await fetch(`${gateway.url}/readyz`)).status, 200);
    assert.equal((await fetch(`${gateway.url}/livez`)).status, 200);
  });
});
