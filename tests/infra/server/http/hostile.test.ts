import assert from 'node:assert/strict';
import { type Call, sendRawRequest, signedHeader, startHttpService } from '../../../support/http/http-service';
import { things } from '../../../support/http/sample-routes';

describe('http app, hostile input', () => {
  let service: Awaited<ReturnType<typeof startHttpService>>;
  before(async () => {
    service = await startHttpService(things, { headersMilliseconds: 300, requestMilliseconds: 500 });
  });
  after(() => service.close());

  const refused = async (target: string, call: Call, status: number, code: string): Promise<void> => {
    const response = await service.call(target, call);
    const problem = (await response.json()) as { code: string };
    assert.deepEqual([response.status, problem.code], [status, code]);
  };
  const json = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): Call => ({
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });
  const thing = JSON.stringify({ name: 'a', parts: [{ size: 1 }] });

  for (const [what, body] of [
    ['text that is no JSON', '{"name":'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['deep nesting', '['.repeat(100_000)],
    ['deep nesting behind a text with brackets', `{"a":"]]]\\"",${'"b":{'.repeat(65)}`],
  ] as const)
    it(`refuses ${what}`, async () => refused('/v1/things', json(body), 400, 'malformed-body'));
  for (const [what, type] of [
    ['another type', 'text/plain'],
    ['a form where JSON is expected', 'application/x-www-form-urlencoded'],
    ['another character set', 'application/json; charset=utf-16'],
  ] as const)
    it(`refuses ${what}`, async () => refused('/v1/things', json(thing, type), 415, 'unsupported-media-type'));
  it('refuses a compressed body', async () => {
    const call = json(thing);
    const headers = { ...call.headers, 'content-encoding': 'gzip' };
    await refused('/v1/things', { ...call, headers }, 415, 'unsupported-media-type');
  });
  it('refuses a body over a mebibyte, announced or not', async () => {
    await refused('/v1/things', json(`"${'x'.repeat(1_048_577)}"`), 413, 'body-too-large');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
    const signed = `Septet-Identity: ${signedHeader('POST', '/v1/things')}\r\n\r\n`;
    assert.match(await sendRawRequest(service.port, `${head}${signed}${chunk.repeat(17)}`), /^HTTP\/1.1 413 /);
  });
  for (const target of ['/v1/things/%ff', '/v1/things/%E0%A4%A', '/v1/things/a?page=%ff'])
    it(`refuses the percent-encoding of ${target}`, async () => refused(target, {}, 400, 'invalid-input'));
  it('cuts off headers that never end', async () => {
    assert.match(await sendRawRequest(service.port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '), /^HTTP\/1.1 408 /);
  });
  it('cuts off a body that never ends', async () => {
    const signed = `Septet-Identity: ${signedHeader('POST', '/v1/things')}`;
    const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n${signed}`;
    assert.match(await sendRawRequest(service.port, `${head}\r\n\r\n{`), /^HTTP\/1.1 (408|400) /);
  });
  it('refuses headers beyond their limit', async () => {
    const bytes = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`;
    assert.match(await sendRawRequest(service.port, bytes), /^HTTP\/1.1 431 /);
  });
});
