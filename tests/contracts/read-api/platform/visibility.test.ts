/** What no caller finds in the log, and what tenants do not find of each other. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PrincipalEvent } from '../../../../domain/identity/principal/events';
import { registered } from '../../../identity/examples';
import { admin, type Json, metadataOf, operator, type Platform, startPlatform, stranger } from './fixture';

const of = (event: PrincipalEvent, principalId: string): PrincipalEvent =>
  ({ ...event, data: { ...event.data, principalId } }) as PrincipalEvent;

const named = (prefix: string): string => `/v1/platform/streams?prefix=${encodeURIComponent(prefix)}`;
const eventsOf = (stream: string): string => `/v1/platform/streams/${encodeURIComponent(stream)}/events`;

describe('visibility in the platform’s queries', function () {
  this.timeout(120_000);
  let platform: Platform;
  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.close());

  it('shows sealed fields as sealed, and as forgotten once their key is gone', async () => {
    const stream = 'identity.issuance-acme.2026013112';
    const key = randomUUID();
    const data = { jti: 't-1', sourceIp: { key, sealed: 'Y2lwaGVydGV4dA' } };
    const metadata = metadataOf('acme', { sealed: ['sourceIp'], commandHash: 'c2VhbGVk' });
    await platform.record({ stream, type: 'identity.TokenIssued.v2', data, metadata });
    await platform.record({
      stream,
      type: 'identity.TokenIssued.v1',
      data: { sourceIp: '192.0.2.7' },
      metadata: metadataOf('acme'),
    });
    const addresses = async () =>
      (await platform.get(eventsOf(stream), admin)).body.items.map((item) => (item.data as Json).sourceIp);
    assert.deepEqual(await addresses(), [{ sealed: true }, { forgotten: true }]);
    const text = await (await platform.call(eventsOf(stream))).text();
    assert.ok(!/Y2lwaGVydGV4dA|c2VhbGVk|192\.0\.2\.7/.test(text), text);
    const forgetting = { subject: 'a'.repeat(64), keys: [key], reason: 'asked-for' };
    const privacy = `privacy.subject-acme.${'a'.repeat(64)}`;
    const position = await platform.record({
      stream: privacy,
      type: 'privacy.SubjectForgotten.v1',
      data: forgetting,
      metadata: metadataOf('acme'),
    });
    // Each round waits until one view has the position, then reads the addresses again.
    for (;;) {
      const found = await addresses();
      if ((found[0] as Json).forgotten === true) break;
      await platform.get(named('privacy'), operator, position);
    }
    assert.deepEqual(await addresses(), [{ forgotten: true }, { forgotten: true }]);
  });

  it('keeps tenants from each other’s streams and from those of none', async () => {
    const foreign = 'imported stream/with "odd" names-1';
    await platform.record({ stream: foreign, type: 'odd', data: [1], metadata: { at: 'never' } });
    const position = await platform.principal(of(registered, 'own'), 'acme');
    for (const stream of [foreign, 'identity.principal-acme.own']) {
      assert.equal((await platform.get(eventsOf(stream))).status, 200, stream);
      assert.equal((await platform.get(eventsOf(stream), stranger)).status, 404, stream);
      assert.equal((await platform.get(`${eventsOf(stream)}/0`, stranger)).status, 404, stream);
    }
    assert.deepEqual((await platform.get('/v1/platform/streams', stranger, position)).body.items, []);
    const [odd] = (await platform.get(named('imported'), operator)).body.items;
    assert.deepEqual([odd?.stream, odd?.tenantId, odd?.context], [foreign, null, null]);
    const own = (await platform.get('/v1/platform/streams?limit=200', admin)).body.items;
    assert.ok(own.length > 0 && own.every(({ tenantId }) => tenantId === 'acme'));
  });

  it('hides system streams from all callers, and answers hostile names', async () => {
    for (const stream of ['$users', '$user-admin', '$$identity.principal-acme.own', '$all', '$settings'])
      for (const identity of [operator, admin])
        assert.equal((await platform.get(eventsOf(stream), identity)).status, 404, stream);
    for (const stream of ['a'.repeat(1025), '\ud800']) {
      const status =
        stream.length > 1
          ? (await platform.get(eventsOf(stream))).status
          : (await platform.get('/v1/platform/streams/%ED%A0%80/events')).status;
      assert.equal(status, 400);
    }
    for (const stream of ['no-such', "'; drop table x; --", '../../etc/passwd', 'a%b', '\u0000', 'ü.ü-ü.ü'])
      assert.equal((await platform.get(eventsOf(stream))).status, 404, stream);
    for (const query of ['from=-1', 'from=1e9', 'limit=0', 'limit=201', 'direction=up', 'from=1&from=2'])
      assert.equal((await platform.get(`${eventsOf('no-such')}?${query}`)).status, 400, query);
    assert.deepEqual((await platform.get('/v1/platform/streams?search=%25_%5C')).body.items, []);
    for (const path of ['streams?search=%00', 'streams?prefix=%00', 'events/%00', 'causes/%00', 'timers?process=%00'])
      assert.equal((await platform.get(`/v1/platform/${path}`)).status, 400, path);
  });
});
