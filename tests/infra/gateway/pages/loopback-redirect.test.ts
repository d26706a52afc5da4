/** Passkeys and cookies are of a name: people of other loopback names are led to the one that is printed. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { createLoopbackRedirect } from '../../../../infra/gateway/loopback-redirect';
import { startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';

const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
const visit = (host: string, url = '/sign-in', accept: string | undefined = html, method = 'GET') =>
  createLoopbackRedirect('http://localhost:7070')({ method, url, headers: { host, accept } } as never);

describe('a visit by another name of this machine', () => {
  it('is led to the same page at localhost', () => {
    for (const host of ['127.0.0.1:7070', '[::1]:7070', '127.0.0.1:7070'.toUpperCase()])
      for (const path of [
        '/',
        '/docs',
        '/console',
        '/console/principals?x=1',
        '/sign-in?continue=%2Faccount',
        '/account',
        '/device',
        '/oauth/authorize?client_id=a',
      ])
        assert.equal(visit(host, path), `http://localhost:7070${path}`, `${host} ${path}`);
  });

  it('stays where it is at localhost, at another port, and at names that are not of this machine', () => {
    for (const host of [
      'localhost:7070',
      '127.0.0.1:7071',
      '127.0.0.1',
      'septet.example',
      '127.0.0.1.evil.example:7070',
      '',
    ])
      assert.equal(visit(host), undefined, host);
  });

  it('is answered where a program asks, or a form is sent', () => {
    const host = '127.0.0.1:7070';
    for (const path of [
      '/v1/principals',
      '/oauth/token',
      '/oauth/jwks',
      '/.well-known/openid-configuration',
      '/healthz',
      '/openapi.json',
      '/blobs/a',
    ])
      assert.equal(visit(host, path), undefined, path);
    assert.equal(visit(host, '/sign-in', '*/*'), undefined);
    assert.equal(visit(host, '/sign-in', html, 'POST'), undefined);
  });

  it('leads nowhere else, whatever the path says', () => {
    for (const path of ['//evil.example/', '/console/@evil.example', '/sign-in/..//evil.example'])
      assert.equal(
        new URL(visit('127.0.0.1:7070', path) ?? 'http://localhost:7070').origin,
        'http://localhost:7070',
        path,
      );
  });

  it('is left alone where the public URL is an address, or a name of its own', () => {
    const incoming = { method: 'GET', url: '/sign-in', headers: { host: '127.0.0.1:7070', accept: html } } as never;
    for (const publicUrl of ['http://127.0.0.1:7070', 'http://[::1]:7070', 'https://septet.example'])
      assert.equal(createLoopbackRedirect(publicUrl)(incoming), undefined, publicUrl);
  });
});

describe('gateway at localhost', () => {
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices({ publicUrl: 'http://localhost:7070' });
  });
  after(() => gateway.close());

  const get = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number | undefined; location: string | undefined }>((resolve, reject) => {
      request(
        { host: '127.0.0.1', port: gateway.port, path, headers },
        ({ statusCode: status, headers: { location } }) => resolve({ status, location }),
      )
        .on('error', reject)
        .end();
    });

  it('redirects people, and answers programs', async () => {
    const host = '127.0.0.1:7070';
    const led = { status: 307, location: 'http://localhost:7070/docs' };
    assert.deepEqual(await get('/docs', { host, accept: html }), led);
    assert.deepEqual(await get('/docs', { host }), { status: 200, location: undefined });
    assert.deepEqual(await get('/docs', { host: 'localhost:7070', accept: html }), {
      status: 200,
      location: undefined,
    });
  });
});
