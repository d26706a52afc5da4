/** How signed URLs are answered: methods, conditions, ranges. */
import assert from 'node:assert/strict';
import { type Claims, signToken } from '../../../../infra/adapters/blobs/local/signed-urls';
import { type LocalStage, secret, startLocal } from '../../../contracts/blobs/local/fixture';
import { expectSuccess, textPut } from '../../../contracts/blobs/suite/store-calls';

const soon = Math.floor(Date.now() / 1_000) + 60;

describe('routes of a directory of blobs', () => {
  let stage: LocalStage;
  before(async () => {
    stage = await startLocal();
  });
  after(() => stage.stop());

  const path = (claims: Claims): string => `/blobs/${signToken(secret, claims)}`;
  const fetched = (target: string, init: RequestInit = {}) => fetch(new URL(target, stage.url), init);
  const getOf = (key: string): string => path({ method: 'GET', key, expires: soon });
  const putOfSize = (key: string, size: number): string =>
    path({ method: 'PUT', key, expires: soon, size, contentType: 'text/plain' });

  it('allow the method that was signed', async () => {
    for (const method of ['POST', 'DELETE', 'PUT', 'OPTIONS'])
      assert.deepEqual(
        [(await fetched(getOf('a'), { method })).status, (await fetched(getOf('a'), { method })).headers.get('allow')],
        [405, 'GET, HEAD'],
      );
    const answer = await fetched(putOfSize('a', 1), { method: 'HEAD' });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'PUT']);
  });

  it('answer HEAD like GET without the bytes, whatever range is asked for', async () => {
    expectSuccess(await stage.blobs.put(textPut('head', 'hello')));
    const answer = await fetched(getOf('head'), { method: 'HEAD', headers: { Range: 'bytes=1-2' } });
    assert.deepEqual([answer.status, answer.headers.get('content-length'), await answer.text()], [200, '5', '']);
  });

  it('heed conditions and ranges', async () => {
    const { etag } = expectSuccess(await stage.blobs.put(textPut('ranged', '0123456789')));
    const statusOf = async (headers: Record<string, string>) => {
      const answer = await fetched(getOf('ranged'), { headers });
      return [answer.status, await answer.text().then((text) => (answer.ok ? text : ''))];
    };
    assert.deepEqual(await statusOf({ Range: 'bytes=2-4' }), [206, '234']);
    assert.deepEqual(await statusOf({ Range: 'bytes=-3' }), [206, '789']);
    assert.deepEqual(await statusOf({ Range: 'bytes=0-1,4-5' }), [200, '0123456789']);
    assert.deepEqual(await statusOf({ Range: 'lines=1-2' }), [200, '0123456789']);
    assert.deepEqual(await statusOf({ Range: 'bytes=2-4', 'If-Range': etag }), [206, '234']);
    assert.deepEqual(await statusOf({ Range: 'bytes=2-4', 'If-Range': '"other"' }), [200, '0123456789']);
    assert.deepEqual(await statusOf({ Range: 'bytes=2-4', 'If-Range': `W/${etag}` }), [200, '0123456789']);
    assert.deepEqual(await statusOf({ 'If-Match': '"other"' }), [412, '']);
    assert.deepEqual(await statusOf({ 'If-Match': `"other", ${etag}` }), [200, '0123456789']);
    assert.deepEqual(await statusOf({ 'If-None-Match': `W/${etag}` }), [304, '']);
    const beyond = await fetched(getOf('ranged'), { headers: { Range: 'bytes=10-' } });
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */10']);
  });

  it('keep what was uploaded from acting in our name', async () => {
    expectSuccess(await stage.blobs.put(textPut('page', '<script>alert(1)</script>', { contentType: 'text/html' })));
    const { headers } = await fetched(getOf('page'));
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*; sandbox$/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'private, no-cache');
  });
});
