import assert from 'node:assert/strict';
import { openLog } from '../../infra/log';

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

  for (const name of ['authorization', 'Cookie', 'set-cookie', 'client_secret', 'clientSecret', 'accessToken'])
    it(`removes ${name}, however deep`, () => {
      const { text } = logged({ request: { headers: [{ [name]: 'hunter2' }] }, [name]: 'hunter2' });
      assert.doesNotMatch(text, /hunter2/);
    });

  for (const [what, text] of [
    ['credentials of a URL', 'connect postgres://septet:hunter2@127.0.0.1/db failed'],
    ['a bearer token', 'header was Bearer hunter2hunter2'],
    ['a signed token', 'got eyJhbGciOiJFUzI1NiJ9.eyJodW50ZXIyIjoxfQ.hunter2'],
  ] as const)
    it(`removes ${what} from texts and errors`, () => {
      const { text: line } = logged({ text, error: new Error(text, { cause: new Error(text) }) });
      assert.doesNotMatch(line, /hunter2|eyJodW50ZXIy/);
    });

  it('survives what cannot be shown: cycles, bytes', () => {
    const cycle: Record<string, unknown> = { bytes: Buffer.from('hunter2') };
    cycle.self = cycle;
    assert.doesNotMatch(logged({ cycle }).text, /hunter2/);
  });
});
