/** Bodies that are too large, too deep, of another kind, or of another type than they declare. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { assertRefused, head, raw, registration, type Stage, statusesIn } from './fixture';

type Body = readonly [name: string, body: string | Buffer, status: number, lines?: readonly string[]];

const valued = (value: string): string => `{"principalType":${value}}`;
const typed = (type: string): readonly string[] => [`Content-Type: ${type}`];
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));

const malformed: readonly Body[] = [
  ['no JSON', '{"principalType":', 400],
  ['nothing but space', ' '.repeat(1_000), 400],
  ['a list where an object is meant', `[${registration}]`, 400],
  ['null', 'null', 400],
  ['a number for a word', valued('7'), 400],
  ['a list for a word', valued('["PIPELINE"]'), 400],
  ['an object with a length for a word', valued('{"length":8}'), 400],
  ['a number beyond numbers', valued('1e999'), 400],
  ['a word that there is not', valued('"ROOT"'), 400],
  ['a word with a NUL', valued('"PIPELINE\\u0000"'), 400],
  ['half a pair of surrogates', valued('"\\ud800"'), 400],
  ['a key that is there twice', '{"principalType":"HUMAN","principalType":"PIPELINE"}', 400],
  ['a key that is there twice in two spellings', '{"principalType":"HUMAN","\\u0070rincipalType":"PIPELINE"}', 400],
  ['a prototype in place of fields', '{"__proto__":{"principalType":"PIPELINE"}}', 400],
  ['a constructor in place of fields', '{"constructor":{"prototype":{"principalType":"PIPELINE"}}}', 400],
  ['lists without end', '['.repeat(500_000), 400],
  ['objects without end', '{"a":'.repeat(150_000), 400],
  ['depth behind a text of brackets', `{"a":"[[\\"","b":${'['.repeat(65)}${']'.repeat(65)}}`, 400],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]), 400],
  ['an overlong character', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 400],
  ['surrogates in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 400],
  ['UTF-16', Buffer.from(`\ufeff${registration}`, 'utf16le'), 400],
  ['UTF-16 that says so', Buffer.from(registration, 'utf16le'), 415, typed('application/json; charset=utf-16')],
  ['UTF-7', '+AHs-', 415, typed('application/json; charset=utf-7')],
  ['a text', registration, 415, typed('text/plain')],
  ['a form', 'principalType=PIPELINE', 415, typed('application/x-www-form-urlencoded')],
  ['a form in parts', registration, 415, typed('multipart/form-data; boundary=x')],
  ['no type', registration, 415, typed('')],
  ['a compressed body', gzipSync(registration), 415, ['Content-Encoding: gzip']],
  ['a bomb', bomb, 415, ['Content-Encoding: gzip']],
  ['a bomb in a bomb', gzipSync(bomb), 415, ['Content-Encoding: gzip, gzip']],
  ['a body over the limit', Buffer.alloc(1_048_577, 0x20), 413],
];

const withType = (stage: Stage, body: string | Buffer, lines: readonly string[] = []): Buffer => {
  const plain = head(stage, 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`, ...lines);
  const own = lines.some((line) => line.startsWith('Content-Type'));
  return Buffer.concat([
    Buffer.from(`${own ? plain.replace('Content-Type: application/json\r\n', '') : plain}\r\n`),
    Buffer.from(body),
  ]);
};

export const bodies = (stage: () => Stage): void => {
  for (const [name, body, status, lines] of malformed)
    it(`answers ${status} to ${name}`, async () => {
      const answer = await raw(stage().port, withType(stage(), body, lines));
      assert.deepEqual(statusesIn(answer), [status]);
      assert.match(answer, /"code":"(malformed-body|invalid-input|unsupported-media-type|body-too-large)"/);
      // The problem lists the allowed values and does not repeat the sent one.
      assert.doesNotMatch(answer.replaceAll('HUMAN, PIPELINE, AI_AGENT', ''), /PIPELINE|ROOT/);
    });

  it('takes no more of a body in chunks than it may have', async () => {
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    const bytes = `${head(stage(), 'Transfer-Encoding: chunked')}\r\n${chunk.repeat(64)}0\r\n\r\n`;
    assert.match(await assertRefused(stage(), bytes), /^HTTP\/1.1 413 /);
  });

  it('holds nothing for bodies that are announced and do not come', async () => {
    const { services, port } = stage();
    const before = services.memoryOf('gateway');
    const announced = `${head(stage(), 'Content-Length: 1000000')}\r\n{`;
    const sockets = Array.from({ length: 500 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    for (const socket of sockets) socket.write(announced);
    assert.equal((await stage().admin.get('/v1/security/events?limit=0')).status, 400);
    assert.ok(services.memoryOf('gateway') - before < 100);
    for (const socket of sockets) socket.destroy();
  });
};
