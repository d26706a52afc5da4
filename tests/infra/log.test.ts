import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { openLog } from '../../infra/server/runtime/log';

const logged = (fields: Record<string, unknown>): { readonly text: string; readonly line: Record<string, unknown> } => {
  const lines: string[] = [];
  const log = openLog({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  log.info(fields, 'something happened');
  assert.equal(lines.length, 1);
  return { text: lines[0]!, line: JSON.parse(lines[0]!) };
};

describe('log', () => {
  it('writes one JSON line with service, time and message', () => {
    const { line } = logged({ count: 3n, tokenId: 'jti-1' });
    assert.equal(line.service, 'test');
    assert.equal(line.msg, 'something happened');
    assert.equal(line.count, '3');
    assert.equal(line.tokenId, 'jti-1');
  });

  it('writes lines of audits at every level', () => {
    const lines: string[] = [];
    const log = openLog({ service: 'test', level: 'error', destination: { write: (line) => lines.push(line) } });
    log.warn({}, 'something is odd');
    log.audit({ audit: 'retrieval' }, 'a retrieval was answered');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ['a retrieval was answered'],
    );
  });

  it('writes an error of another realm with its message', () => {
    const { line } = logged({ error: runInNewContext('new TypeError("It is defective.")') });
    const { type, message } = line.error as { readonly type: string; readonly message: string };
    assert.deepEqual([type, message], ['TypeError', 'It is defective.']);
  });

  for (const name of [
    'authorization',
    'Cookie',
    'set-cookie',
    'client_secret',
    'clientSecret',
    'accessToken',
    'dpop',
    'ticket',
    'internalKey',
    'blobs_key',
  ])
    it(`removes ${name}, however deep`, () => {
      const { text } = logged({ request: { headers: [{ [name]: 'hunter2' }] }, [name]: 'hunter2' });
      assert.doesNotMatch(text, /hunter2/);
    });

  for (const [what, text] of [
    ['credentials of a URL', 'connect postgres://septet:hunter2@127.0.0.1/db failed'],
    ['a bearer token', 'header was Bearer hunter2hunter2'],
    ['a Redis password without a user', 'cannot reach redis://:hunter2@127.0.0.1:6379'],
    ['a password of a connection string', 'host=a user=b password=hunter2 dbname=c'],
    ['a token in a query', 'GET /v1/things?limit=1&access_token=hunter2&after=2'],
    ['a signature of a bucket', 'https://s3/a?X-Amz-Credential=hunter2&X-Amz-Signature=hunter2'],
    ['a sign-in code in a query', '/console?code=hunter2'],
    ['a signed URL of a blob', 'GET /blobs/hunter2hunter2.hunter2hunter2 failed'],
    ['an identity header', `v1.${'hunter2'.repeat(4)}.${'hunter2'.repeat(4)}`],
    ['a ticket', `offered septet.ticket.t1.${'hunter2'.repeat(4)}.${'hunter2'.repeat(4)}`],
    ['a private key', '-----BEGIN EC PRIVATE KEY-----\nhunter2\n-----END EC PRIVATE KEY-----'],
    ['a DPoP token', 'DPoP hunter2hunter2'],
    ['a signed token', 'got eyJhbGciOiJFUzI1NiJ9.eyJodW50ZXIyIjoxfQ.hunter2'],
  ] as const)
    it(`removes ${what} from texts and errors`, () => {
      const { text: line } = logged({ text, error: new Error(text, { cause: new Error(text) }) });
      assert.doesNotMatch(line, /hunter2|eyJodW50ZXIy/);
    });

  it('leaves alone what operators search for', () => {
    const fields = { target: '/v1/principals?limit=10&cursorless=1', key: 'job-1', code: 'conflict', queue: 'blobs' };
    const { line } = logged(fields);
    for (const [name, value] of Object.entries(fields)) assert.equal(line[name], value);
  });

  it('truncates values from requests', () => {
    const { text } = logged({ text: 'a.'.repeat(1_000_000), error: new Error('a+'.repeat(1_000_000)) });
    assert.ok(text.length < 100_000);
  });

  it('survives what cannot be shown: cycles, bytes', () => {
    const cycle: Record<string, unknown> = { bytes: Buffer.from('hunter2') };
    cycle.self = cycle;
    assert.doesNotMatch(logged({ cycle }).text, /hunter2/);
  });
});
