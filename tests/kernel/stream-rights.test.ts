import assert from 'node:assert/strict';
import type { Instant } from '../../domain/kernel/codec';
import { ends } from '../../infra/http/ends';
import type { Identity } from '../../infra/http/route';
import { openPlaces } from '../../read-api/kernel/places';
import { openRights } from '../../read-api/kernel/stream-rights';
import { openSession } from '../../read-api/kernel/stream-session';

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
const bump = { kind: 'bump', tenantId: 'acme', principalId: 'p-1', securityEpoch: 2, at: start } as const;
const reasonOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

describe('a session', () => {
  it('ends with its token', async () => {
    const session = openSession({ clock, rights: openRights(() => 0) }, { ...someone, expiresAt: start + 5 });
    assert.equal(await reasonOf(session.ended), ends.expired);
    session.close();
  });

  it('is sent away where no fresh token can be shown', async () => {
    const options = { clock, rights: openRights(() => 0), longestMilliseconds: 5 };
    const session = openSession(options, { ...someone, expiresAt: start + 60_000 });
    assert.equal(await reasonOf(session.ended), ends.rotated);
    session.close();
  });

  it('lasts as long as fresh tokens are shown, of the same principal only', async () => {
    const session = openSession({ clock, rights: openRights(() => 0) }, { ...someone, expiresAt: start + 60_000 });
    assert.equal(session.renew({ ...someone, principalId: 'p-2', expiresAt: start + 90_000 }), false);
    assert.equal(session.renew({ ...someone, tenantId: 'other', expiresAt: start + 90_000 }), false);
    assert.equal(session.expiresAt(), start + 60_000);
    assert.ok(session.renew({ ...someone, expiresAt: start + 5 }));
    assert.equal(await reasonOf(session.ended), ends.expired);
    session.close();
  });

  it('ends when its principal is revoked, by its newest token', () => {
    const rights = openRights(() => 0);
    const [older, newer] = [1, 1].map(() => openSession({ clock, rights }, { ...someone, expiresAt: start + 60_000 }));
    newer?.renew({ ...someone, securityEpoch: 2, expiresAt: start + 60_000 });
    rights.apply({ ...bump, tenantId: 'other' });
    rights.apply({ ...bump, principalId: 'p-2' });
    assert.ok(!older?.ended.aborted);
    rights.apply(bump);
    assert.equal(older?.ended.reason, ends.revoked);
    assert.ok(!newer?.ended.aborted);
    for (const session of [older, newer]) session?.close();
  });

  it('never begins for a token that was revoked on its way', () => {
    const session = openSession({ clock, rights: openRights(() => 2) }, { ...someone, expiresAt: start + 60_000 });
    assert.equal(session.ended.reason, ends.revoked);
    session.close();
  });
});

describe('places', () => {
  const who = { tenantId: 'acme', principalId: 'p-1' };
  it('are counted in all, by tenant and by principal, and given back once', () => {
    const places = openPlaces({ inAll: 3, ofOneTenant: 2, ofOnePrincipal: 1 });
    const leave = places.take(who);
    assert.equal(places.full(who), 'principal');
    places.take({ ...who, principalId: 'p-2' });
    assert.equal(places.full({ ...who, principalId: 'p-3' }), 'tenant');
    assert.equal(places.full({ ...who, tenantId: 'other' }), undefined);
    places.take({ ...who, tenantId: 'other' });
    assert.equal(places.full({ ...who, tenantId: 'third' }), 'all');
    leave();
    leave();
    assert.equal(places.full(who), undefined);
    places.take(who);
    assert.equal(places.full({ ...who, tenantId: 'third' }), 'all');
  });
});
