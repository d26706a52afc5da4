import assert from 'node:assert/strict';
import { watchOriginMismatch } from '../../../../infra/server/http/identity/origin-mismatch';
import { ownOrigins } from '../../../../infra/server/http/identity/own-origins';
import { recordingLog } from '../../../support/waiting/recording-log';

const publicOrigin = 'http://localhost:7070';
const seen = 'https://septet.example.org';

describe('requests of pages whose browser sees another origin than PUBLIC_URL', () => {
  const begin = () => {
    const log = recordingLog();
    let milliseconds = 0;
    const mismatch = watchOriginMismatch(log, ownOrigins(publicOrigin), () => milliseconds);
    const lines = () => log.lines.filter(({ level }) => level !== 'debug');
    const wait = (seconds: number): void => {
      milliseconds += seconds * 1_000;
    };
    return { ...mismatch, lines, wait };
  };

  it('are a line in the log that names the variable and both origins', () => {
    for (const headers of [{ origin: seen }, { origin: seen, 'sec-fetch-site': 'same-origin' }]) {
      const { observe, lines } = begin();
      observe(headers);
      const [line, ...others] = lines();
      assert.deepEqual([line?.level, line?.fields, others], ['warn', { origin: seen, publicOrigin }, []]);
      assert.match(line?.message ?? '', /set PUBLIC_URL/);
    }
  });

  it('are one line a minute, however many there are', () => {
    const { observe, lines, wait } = begin();
    for (let tenth = 0; tenth < 600; tenth += 1) {
      observe({ origin: `https://site-${tenth}.example` });
      wait(0.1);
    }
    assert.equal(lines().length, 1);
    observe({ origin: seen });
    assert.deepEqual(lines()[1]?.fields, { origin: seen, publicOrigin, seconds: 60, failures: 600 });
  });

  it('write no line for pages of other sites, for our own, and for those that do not say', () => {
    const { observe, lines } = begin();
    observe({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    observe({ origin: 'https://other.septet.example.org', 'sec-fetch-site': 'same-site' });
    observe({ origin: 'null', 'sec-fetch-site': 'same-origin' });
    for (const own of ownOrigins(publicOrigin)) observe({ origin: own });
    observe({});
    assert.deepEqual(lines(), []);
  });

  it('write a short line of a long header', () => {
    const { observe, lines } = begin();
    observe({ origin: `https://${'x'.repeat(10_000)}` });
    assert.ok(JSON.stringify(lines()).length < 600);
  });
});
