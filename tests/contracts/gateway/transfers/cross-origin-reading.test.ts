/** Media that a manifest lets pages of other origins read: those pages and no others, reading and nothing else. */
import assert from 'node:assert/strict';
import { playerOrigin } from './context';
import { startTransferSystem, type TransferSystem } from './system';

const elsewhere = 'https://elsewhere.example';

describe('media that pages of other origins may read', function () {
  this.timeout(20_000);
  let system: TransferSystem;
  before(async () => {
    system = await startTransferSystem();
  });
  after(() => system.close());

  const headersAt = async (folder: string, origin: string | undefined, init: RequestInit = {}) => {
    const given = { ...(init.headers as object), ...(origin === undefined ? {} : { origin }) };
    // Only reads have a size.
    const query = init.method === 'PUT' ? '' : '?size=1000';
    const { status, headers, body } = await fetch(`${system.url}/films/${folder}/film${query}`, {
      ...init,
      headers: given,
    });
    await body?.cancel();
    assert.equal(headers.get('access-control-allow-credentials'), null);
    return { status, headers, allowed: headers.get('access-control-allow-origin') };
  };
  const range = { headers: { range: 'bytes=1-2' } };

  it('is readable by every page, by those listed, or by the one that the service names', async () => {
    const expected = [
      ['open', elsewhere, '*'],
      ['open', playerOrigin, '*'],
      ['listed', playerOrigin, playerOrigin],
      ['listed', elsewhere, null],
      ['listed', undefined, null],
      ['named', playerOrigin, playerOrigin],
      ['named', elsewhere, null],
      ['closed', playerOrigin, null],
      ['closed', 'https://evil.example', null],
    ] as const;
    for (const [folder, origin, readable] of expected) {
      const { status, headers, allowed } = await headersAt(folder, origin, range);
      assert.deepEqual([folder, origin, status, allowed], [folder, origin, 206, readable]);
      assert.equal(
        headers.get('cross-origin-resource-policy'),
        readable === null ? 'same-origin' : 'cross-origin',
        `${folder} ${origin}`,
      );
      const decidesByOrigin = folder === 'listed' || folder === 'named';
      assert.equal(headers.get('vary'), decidesByOrigin ? 'Accept-Encoding, Origin' : 'Accept-Encoding', folder);
      if (readable === null) continue;
      const exposed = headers.get('access-control-expose-headers') ?? '';
      for (const name of ['Accept-Ranges', 'Content-Range', 'ETag']) assert.ok(exposed.includes(name), name);
    }
  });

  it('can be asked for by a preflight, for reading alone', async () => {
    const preflight = (folder: string, origin: string, method: string) =>
      headersAt(folder, origin, {
        method: 'OPTIONS',
        headers: { 'access-control-request-method': method, 'access-control-request-headers': 'range' },
      });
    for (const [folder, origin, readable] of [
      ['open', elsewhere, '*'],
      ['listed', playerOrigin, playerOrigin],
      ['named', elsewhere, '*'],
    ] as const) {
      const { status, headers, allowed } = await preflight(folder, origin, 'GET');
      assert.deepEqual([status, allowed, headers.get('access-control-allow-methods')], [204, readable, 'GET, HEAD']);
      assert.match(headers.get('access-control-allow-headers') ?? '', /\bRange\b/);
      assert.doesNotMatch(headers.get('access-control-allow-headers') ?? '', /Idempotency-Key|Content-Type/);
    }
    for (const [folder, origin, method] of [
      ['open', elsewhere, 'PUT'],
      ['listed', elsewhere, 'GET'],
      ['closed', elsewhere, 'GET'],
    ] as const) {
      const { headers, allowed } = await preflight(folder, origin, method);
      assert.deepEqual([allowed, headers.get('access-control-allow-methods')], [null, null], folder);
    }
  });

  it('is changed by no other origin, and what the gateway refuses can be read as the rest', async () => {
    const put = await headersAt('open', elsewhere, { method: 'PUT', body: 'x' });
    assert.deepEqual([put.status, put.allowed], [200, null]);
    const none = await fetch(`${system.url}/films/open/nothing`, { headers: { origin: elsewhere } });
    assert.deepEqual([none.status, none.headers.get('access-control-allow-origin')], [404, '*']);
  });
});
