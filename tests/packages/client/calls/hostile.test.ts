/** What comes back may be anything: a clear error, in bounded memory, that repeats nothing of it. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, isClientError, isProblem, type UnexpectedReason } from '../../../../packages/client/src/index';
import { failure, json, principal, problem, registered, stage } from '../fixture';

const get = { principalId: 'p-1' };
const secret = 'hunter2';
const text = (
  status: number,
  content: ConstructorParameters<typeof Response>[0],
  type = 'application/json',
): Response => new Response(content, { status, headers: { 'content-type': type } });

const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)) });

const cases: readonly (readonly [string, () => Response, UnexpectedReason])[] = [
  ['a page of HTML', () => text(200, `<html>${secret}</html>`, 'text/html'), 'content-type'],
  ['a page of HTML as an error', () => text(418, `<html>${secret}</html>`, 'text/html; charset=utf-8'), 'content-type'],
  ['no type at all', () => new Response(null, { status: 200 }), 'content-type'],
  ['half of an object', () => text(200, `{"principalId":"${secret}`), 'not-json'],
  ['nothing', () => text(200, ''), 'not-json'],
  ['bytes that are no UTF-8', () => text(200, new Uint8Array([0x22, 0xff, 0x22])), 'not-utf-8'],
  ['a wrong kind', () => json(200, { ...principal, securityEpoch: secret }), 'wrong-form'],
  ['a missing field', () => json(200, { ...principal, status: undefined }), 'wrong-form'],
  ['a list for an object', () => json(200, [principal]), 'wrong-form'],
  ['null', () => json(200, null), 'wrong-form'],
  ['fields of a prototype', () => text(200, '{"__proto__":{"principalId":"p-1"}}'), 'wrong-form'],
  ['more than may be read', () => text(200, endless()), 'too-large'],
  ['an error larger than may be read', () => text(404, endless(), 'application/problem+json'), 'too-large'],
  ['a status of no operation', () => json(206, principal), 'status'],
  ['the way to elsewhere', () => new Response(null, { status: 307, headers: { location: '//evil.test' } }), 'redirect'],
  ['a refusal without a reason', () => json(404, { message: secret }), 'wrong-form'],
  ['a refusal that is a text', () => json(403, secret), 'wrong-form'],
  ['a refusal of wrong kinds', () => json(403, { code: 7, detail: {} }), 'wrong-form'],
];

describe('client: hostile answers', () => {
  for (const [what, answer, reason] of cases)
    it(`refuses ${what}`, async () => {
      const { client, requests } = stage([answer()], { maxResponseBytes: 1_048_576 });
      const error = await failure(client.getPrincipal(get));
      assert.ok(isClientError(error) && error.kind === 'unexpected-answer', String(error));
      assert.equal(error.reason, reason);
      assert.doesNotMatch(`${error.message} ${JSON.stringify(error)}`, /hunter2/);
      assert.equal(requests.length, 1);
    });

  it('says where an answer differs', async () => {
    const { client } = stage([json(200, { items: [principal, { ...principal, tenantId: 4 }], next_cursor: null })]);
    assert.match(String(await failure(client.listPrincipals())), /At \/items\/1\/tenantId, a string was expected\./);
  });

  it('takes what a newer server adds', async () => {
    const newer = { ...principal, status: 'DORMANT', since: 4, 'a/b': [] };
    const { client } = stage([json(200, newer)]);
    assert.deepEqual((await client.getPrincipal(get)).body, newer);
  });

  it('does not go deep with what goes deep', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const { client } = stage([text(200, `{"keys":${deep}}`)]);
    assert.match(String(await failure(client.getSigningKeys())), /At \/keys, a list was expected\./);
  });

  it('leaves no prototype in what it passes on', async () => {
    const { client } = stage([text(200, JSON.stringify(principal).replace('{', '{"__proto__":{"admin":true},'))]);
    const { body } = await client.getPrincipal(get);
    assert.equal(Object.hasOwn(body, '__proto__'), false);
    assert.equal((body as unknown as { admin?: boolean }).admin, undefined);
  });

  it('waits out a proxy whose server is away', async () => {
    const away = text(502, '<html>Bad gateway</html>', 'text/html');
    const { client, requests } = stage([away, registered()]);
    await client.registerPrincipal({ body: { principalType: 'HUMAN' } });
    assert.equal(requests.length, 2);
  });

  it('keeps of a refusal what has the expected kind', async () => {
    const errors = [{ pointer: '/body', expected: 'X' }, { pointer: 4 }, null, 'text'];
    const { client } = stage([json(400, { code: 'invalid-input', title: 1, errors, detail: 'd'.repeat(9_999) })]);
    const error = await failure(client.getPrincipal(get));
    assert.ok(isProblem(error));
    assert.deepEqual([error.title, error.errors], ['invalid-input', [{ pointer: '/body', expected: 'X' }]]);
    assert.equal(error.detail.length, 4_096);
  });

  it('does not take a refusal’s own word for its status', async () => {
    const { client } = stage([problem(404, 'not-found'), json(403, { status: 200, code: 'forbidden' })]);
    await failure(client.getPrincipal(get));
    const error = await failure(client.getPrincipal(get));
    assert.ok(isProblem(error, 'forbidden'));
    assert.equal(error.status, 403);
  });

  it('takes an answer that is cut off for a lost one', async () => {
    let requestCount = 0;
    const server = createServer((request, response) => {
      requestCount += 1;
      const whole = JSON.stringify(principal);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
      if (requestCount > 1) return void response.end(whole);
      response.write(whole.slice(0, 20), () => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = connect({ baseUrl: `http://127.0.0.1:${port}` });
    assert.deepEqual((await client.getPrincipal(get)).body, principal);
    assert.equal(requestCount, 2);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
