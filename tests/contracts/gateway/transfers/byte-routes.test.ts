/** Routes of bytes behind the gateway: their document decides the required scopes, and ranges and conditions pass. */
import assert from 'node:assert/strict';
import { answerTo, openRequest, receive, upload } from './client';
import { filmPart } from './films';
import { startTransferSystem, type TransferSystem } from './system';

const mebibyte = 2 ** 20;

describe('routes of bytes behind the gateway', function () {
  this.timeout(20_000);
  let system: TransferSystem;
  before(async () => {
    system = await startTransferSystem();
  });
  after(() => system.close());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const sent = openRequest(system, { method: 'GET', path, headers });
    sent.end();
    const answer = await answerTo(sent);
    return { answer, body: Buffer.concat((await answer.toArray()) as Buffer[]) };
  };

  it('take bodies of callers with their scopes', async () => {
    const whole = await upload(system, { method: 'PUT', path: '/films/count' }, 5 * mebibyte);
    assert.deepEqual([whole.status, whole.body.bytes], [200, 5 * mebibyte]);
    assert.equal((whole.body.identity as { tenantId: string }).tenantId, 'acme');
    const authorization = `Bearer ${system.token({ scopes: ['things:read'] })}`;
    const refused = await upload(system, { method: 'PUT', path: '/films/count', headers: { authorization } }, 10);
    assert.equal(refused.status, 403);
    const unknown = await upload(system, { method: 'PUT', path: '/films/nothing' }, 10);
    assert.equal(unknown.status, 404);
  });

  it('answer a range, the whole, or that there is no such range', async () => {
    const part = await get(`/films/film?size=${64 * mebibyte}`, { range: 'bytes=33000000-33099999' });
    assert.equal(part.answer.statusCode, 206);
    assert.equal(part.answer.headers['content-range'], `bytes 33000000-33099999/${64 * mebibyte}`);
    assert.ok(part.body.equals(filmPart({ first: 33_000_000, length: 100_000 })));
    const etag = String(part.answer.headers.etag);
    const resumed = await get('/films/film?size=1000', { range: 'bytes=10-', 'if-range': etag });
    assert.deepEqual([resumed.answer.statusCode, resumed.body.length], [200, 1000]);
    const none = await get('/films/film?size=1000', { range: 'bytes=1000-' });
    assert.deepEqual([none.answer.statusCode, none.answer.headers['content-range']], [416, 'bytes */1000']);
    const known = await get('/films/film?size=1000', { 'if-none-match': '"film-1000"' });
    assert.deepEqual([known.answer.statusCode, known.body.length], [304, 0]);
  });

  it('answer while the body still arrives', async () => {
    const sent = openRequest(system, { method: 'POST', path: '/films/echo', headers: { 'content-type': 'a/b' } });
    sent.write('one');
    const answer = await answerTo(sent);
    const parts: string[] = [];
    for await (const part of answer) {
      parts.push(String(part));
      if (parts.length === 1) sent.end('two');
    }
    assert.deepEqual(parts, ['one', 'two']);
  });

  it('stand in the API document, as binary', async () => {
    const sent = openRequest(system, { method: 'GET', path: '/openapi.json' });
    sent.end();
    const { body } = await receive(await answerTo(sent));
    const { put } = (body.paths as Record<string, Record<string, Record<string, unknown>>>)['/films/count'] ?? {};
    assert.deepEqual(put?.security, [{ bearer: ['things:write'] }]);
    assert.deepEqual(put.requestBody, {
      description: `Streamed. At most ${4_096 * mebibyte} bytes.`,
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    });
  });
});
