import assert from 'node:assert/strict';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { createRevocationWatch } from '../../../../infra/server/http/streaming/revocation-watch';
import { streamEnds } from '../../../../infra/server/http/streaming/stream-end';
import { openSession } from '../../../../infra/server/http/streaming/stream-session';
import { createConnectionQuota } from '../../../../read-api/kernel/streams/connection-quota';
import { createTestRevocationWatch, epochBump, revocation } from '../../../support/gateway/revocations';

const start = Date.parse('2026-01-31T12:00:00.000Z');
const clock = { now: () => new Date(start).toISOString() as Instant };
const someone: Identity = {
  tenantId: 'acme',
  principalId: 'p-1',
  principalType: 'HUMAN',
  scopes: [],
  tokenId: 'jti-1',
  securityEpoch: 1,
};
const reasonOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

describe('a session', () => {
  it('ends with its token', async () => {
    const session = openSession(
      { clock, rights: createRevocationWatch(() => false) },
      { ...someone, expiresAt: start + 5 },
    );
    assert.equal(await reasonOf(session.ended), streamEnds.expired);
    session.close();
  });

  it('is sent away where no fresh token can be shown', async () => {
    const options = { clock, rights: createRevocationWatch(() => false), longestMilliseconds: 5 };
    const session = openSession(options, { ...someone, expiresAt: start + 60_000 });
    assert.equal(await reasonOf(session.ended), streamEnds.rotated);
    session.close();
  });

  it('lasts as long as fresh tokens are shown, of the same principal only', async () => {
    const session = openSession(
      { clock, rights: createRevocationWatch(() => false) },
      { ...someone, expiresAt: start + 60_000 },
    );
    assert.equal(session.renew({ ...someone, principalId: 'p-2', expiresAt: start + 90_000 }), false);
    assert.equal(session.renew({ ...someone, tenantId: 'other', expiresAt: start + 90_000 }), false);
    assert.equal(session.expiresAt(), start + 60_000);
    assert.ok(session.renew({ ...someone, expiresAt: start + 5 }));
    assert.equal(await reasonOf(session.ended), streamEnds.expired);
    session.close();
  });

  it('ends when its principal is revoked, by its newest token', () => {
    const rights = createTestRevocationWatch();
    const [older, newer] = [1, 1].map(() => openSession({ clock, rights }, { ...someone, expiresAt: start + 60_000 }));
    newer?.renew({ ...someone, securityEpoch: 2, expiresAt: start + 60_000 });
    rights.apply(epochBump('p-1', 2, { tenantId: 'other' }));
    rights.apply(epochBump('p-2', 2));
    assert.ok(!older?.ended.aborted);
    rights.apply(epochBump('p-1', 2));
    assert.equal(older?.ended.reason, streamEnds.revoked);
    assert.ok(!newer?.ended.aborted);
    for (const session of [older, newer]) session?.close();
  });

  const named = { ...someone, grantId: 'g-1', sessionId: 's-1', clientId: 'acme~app', keyId: 'key-1', issuedAt: start };
  const later = start + 1_000;
  const revocations = {
    token: revocation({ kind: 'jti', subject: 'jti-1' }),
    grant: revocation({ kind: 'grant', subject: 'g-1' }),
    session: revocation({ kind: 'session', subject: 's-1' }),
    client: revocation({ kind: 'client', subject: 'acme~app', minimum: later }),
    key: revocation({ kind: 'key', subject: 'key-1', tenantId: '' }),
    tenant: revocation({ kind: 'tenantEpoch', subject: '', minimum: later }),
    everybody: revocation({ kind: 'globalEpoch', subject: '', tenantId: '', minimum: later }),
  };
  for (const [name, change] of Object.entries(revocations))
    it(`ends with its ${name}, and leaves those of others alone`, () => {
      const rights = createTestRevocationWatch();
      const other = { ...someone, tenantId: 'other', tokenId: 'jti-2', issuedAt: later };
      const [mine, theirs] = [named, other].map((identity) =>
        openSession({ clock, rights }, { ...identity, expiresAt: start + 60_000 }),
      );
      rights.apply(change);
      assert.equal(mine?.ended.reason, streamEnds.revoked);
      assert.ok(!theirs?.ended.aborted);
      for (const session of [mine, theirs]) session?.close();
    });

  it('never begins for a token that was revoked on its way', () => {
    const session = openSession(
      { clock, rights: createRevocationWatch(() => true) },
      { ...someone, expiresAt: start + 60_000 },
    );
    assert.equal(session.ended.reason, streamEnds.revoked);
    session.close();
  });
});

describe('places', () => {
  const who = { tenantId: 'acme', principalId: 'p-1' };
  it('are counted in all, by tenant and by principal, and given back once', () => {
    const places = createConnectionQuota({ inAll: 3, ofOneTenant: 2, ofOnePrincipal: 1 });
    const leave = places.acquire(who);
    assert.equal(places.exceeded(who)?.of, 'principal');
    places.acquire({ ...who, principalId: 'p-2' });
    assert.equal(places.exceeded({ ...who, principalId: 'p-3' })?.of, 'tenant');
    assert.equal(places.exceeded({ ...who, tenantId: 'other' }), undefined);
    places.acquire({ ...who, tenantId: 'other' });
    assert.deepEqual(places.exceeded({ ...who, tenantId: 'third' }), { of: 'all', limit: 3 });
    leave();
    leave();
    assert.equal(places.exceeded(who), undefined);
    places.acquire(who);
    assert.deepEqual(places.exceeded({ ...who, tenantId: 'third' }), { of: 'all', limit: 3 });
  });
});
