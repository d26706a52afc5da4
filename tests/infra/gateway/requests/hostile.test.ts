import assert from 'node:assert/strict';
import {
  assertRefused,
  postBody,
  startGatewayWithServices,
  type TestedGateway,
} from '../../../support/gateway/gateway-services';
import { sendRawRequest } from '../../../support/http/http-service';

describe('gateway, hostile requests', () => {
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices({
      limits: { headersMilliseconds: 300, requestMilliseconds: 600 },
      bodyLimit: 65_536,
    });
  });
  after(() => gateway.close());

  const raw = (head: string, body = ''): Promise<string> =>
    sendRawRequest(gateway.port, `${head}\r\nAuthorization: Bearer ${gateway.token()}\r\n\r\n${body}`);
  const post11 = 'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json';
  for (const [what, head, body] of [
    [
      'length and transfer coding together',
      `${post11}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked`,
      '0\r\n\r\n',
    ],
    ['two lengths', `${post11}\r\nContent-Length: 5\r\nContent-Length: 6`, 'hello'],
    ['a length that is no number', `${post11}\r\nContent-Length: +5`, 'hello'],
    ['a transfer coding that hides another', `${post11}\r\nTransfer-Encoding: chunked, identity`, '0\r\n\r\n'],
    ['a space before a colon', `${post11}\r\nTransfer-Encoding : chunked`, '0\r\n\r\n'],
    ['a folded header', `${post11}\r\nX-Long: a\r\n b`, ''],
    ['a bare line feed in a header', `${post11}\r\nX-Long: a\nX-Other: b`, ''],
    ['no host', 'GET /v1/things HTTP/1.1', ''],
    ['two hosts', 'GET /v1/things HTTP/1.1\r\nHost: x\r\nHost: y', ''],
    ['two tokens', 'GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x', ''],
    ['two keys of idempotency', `${post11}\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 0`, ''],
    ['an absolute target', 'GET http://127.0.0.1/v1/things HTTP/1.1\r\nHost: x', ''],
    ['a body on GET', 'GET /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 5', 'hello'],
    ['no HTTP at all', 'hello', ''],
  ] as const)
    it(`refuses ${what}`, async () => {
      const answer = await raw(head, body);
      assert.match(answer, /^HTTP\/1.1 400 /);
      assert.equal(answer.split('HTTP/1.1 ').length, 2, 'One answer, to one request.');
    });
  it('refuses other methods, by name', async () => {
    const answer = await raw('TRACE /v1/things HTTP/1.1\r\nHost: x');
    assert.match(answer, /^HTTP\/1.1 405 /);
    assert.match(answer, /Allow: GET, HEAD, POST/);
  });
  it('refuses too many headers, too long a target, too large headers', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `X-${at}: 1`).join('\r\n');
    assert.match(await raw(`GET /v1/things HTTP/1.1\r\nHost: x\r\n${many}`), /^HTTP\/1.1 431 /);
    assert.match(await raw(`GET /v1/things?${'x'.repeat(9_000)} HTTP/1.1\r\nHost: x`), /^HTTP\/1.1 414 /);
    assert.match(await raw(`GET /v1/things HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}`), /^HTTP\/1.1 431 /);
  });
  it('refuses a body over the limit, announced or not', async () => {
    await assertRefused(await gateway.call('/v1/things', postBody('x'.repeat(70_000))), 413, 'body-too-large');
    const chunk = `4000\r\n${'x'.repeat(16_384)}\r\n`;
    const answer = await raw(`${post11}\r\nTransfer-Encoding: chunked`, chunk.repeat(5));
    assert.match(answer, /^HTTP\/1.1 413 /);
  });
  it('cuts off headers and bodies that never end', async () => {
    assert.match(await sendRawRequest(gateway.port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '), /^HTTP\/1.1 408 /);
    const answer = await raw(`${post11}\r\nContent-Length: 9`, '{');
    assert.ok(answer === '' || /^HTTP\/1.1 408 /.test(answer), answer);
  });
});
