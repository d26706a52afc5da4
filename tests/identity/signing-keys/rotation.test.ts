import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { signingKeysStream } from '../../../domain/identity/signing-keys/events';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { memoryKeys } from '../../../infra/adapters/kms/memory-keystore';
import type { EventStore } from '../../../infra/ports/event-store';
import { accessTokenKids, activeKid, answered, openWorld, statuses } from './signing-processes';

const month = 30 * 86_400;

describe('who signs', () => {
  it('creates the first key on first use, and no second one', async () => {
    const world = openWorld();
    const members = [world.member(), world.member(), world.member()];
    const active = await Promise.all(
      members.map(async ({ signer }) => answered(await signer.activeKey('access-token')).kid),
    );
    assert.equal(new Set(active).size, 1);
    assert.deepEqual(accessTokenKids(answered(await world.kms.list())), [active[0]]);
  });

  it('goes on with the key of an installation that had no events of keys', async () => {
    const kms = memoryKeys();
    const earlier = answered(await kms.create({ algorithm: 'ES256', name: '000001' }));
    const newest = answered(await kms.create({ algorithm: 'ES256', name: '000002' }));
    const { signer } = openWorld(openMemoryEventStore(), kms).member();
    assert.deepEqual(answered(await signer.activeKey('access-token')), newest);
    assert.deepEqual(accessTokenKids(answered(await signer.publicKeys())), [earlier.kid, newest.kid]);
    assert.equal(answered(await signer.sign(newest.kid, Buffer.from('a'))).length, 64);
  });

  it('publishes what it knew while the log is away, and makes no key then', async () => {
    const whole = openMemoryEventStore();
    let isAway = true;
    const away = { kind: 'fault', code: 'event-store-unavailable', detail: 'Away.' } as const;
    const store: EventStore = {
      ...whole,
      read: async (...parameters) => (isAway ? { _tag: 'Left', left: away } : whole.read(...parameters)),
    };
    const world = openWorld(store);
    const { signer } = world.member();
    assert.ok(isLeft(await signer.publicKeys()));
    assert.deepEqual(answered(await world.kms.list()), []);
    isAway = false;
    const known = answered(await signer.publicKeys());
    isAway = true;
    assert.deepEqual(answered(await signer.publicKeys()), known);
    assert.deepEqual(
      known.map(({ alg }) => alg),
      ['ES256', 'RS256'],
    );
  });

  it('says when the active key is not in its keystore, and which word helps', async () => {
    const world = openWorld();
    answered(await world.member().signer.activeKey('access-token'));
    const checked = await world.member(memoryKeys()).signer.check();
    assert.ok(isLeft(checked));
    assert.match(checked.left.detail, /npm run keys -- replace/);
  });
});

describe('a rotation', () => {
  it('publishes the next key, lets it sign when caches have run out, and destroys the old one when it counts no more', async () => {
    const world = openWorld();
    const member = world.member();
    const old = answered(await member.signer.activeKey('access-token'));
    world.wait(month);
    const next = await member.tend();
    assert.deepEqual(accessTokenKids(answered(await member.signer.publicKeys())), [old.kid, next]);
    assert.equal(await activeKid(member), old.kid);
    world.wait(329);
    assert.equal(await member.tend(), undefined);
    world.wait(1);
    assert.equal(await member.tend(), next);
    assert.equal(answered(await member.signer.activeKey('access-token')).kid, next);
    assert.deepEqual(accessTokenKids(answered(await member.signer.publicKeys())), [old.kid, next]);
    world.wait(3_660);
    assert.equal(await member.tend(), undefined);
    assert.deepEqual(accessTokenKids(answered(await member.signer.publicKeys())), [next]);
    assert.deepEqual(accessTokenKids(answered(await world.kms.list())), [next]);
    assert.deepEqual(accessTokenKids(answered(await member.signer.hintKeys())), [old.kid, next]);
  });

  it('is one, however many look after it at once', async () => {
    const world = openWorld();
    const members = Array.from({ length: 8 }, () => world.member());
    const [one] = members;
    assert.ok(one !== undefined);
    for (const rotation of [1, 2, 3]) {
      answered(await one.signer.activeKey('access-token'));
      world.wait(month);
      await Promise.all(members.map(({ tend }) => tend()));
      world.wait(330);
      await Promise.all(members.map(({ tend }) => tend()));
      const before = Array.from({ length: rotation }, () => 'retired');
      assert.deepEqual(await statuses(one), [...before, 'active']);
    }
    const events = answered(await world.store.read(signingKeysStream));
    assert.equal(events.filter(({ type }) => type === 'identity.KeyActivated.v1').length, 4);
  });

  it('withdraws a next key that is not held any more, and makes another', async () => {
    const world = openWorld();
    const member = world.member();
    answered(await member.signer.activeKey('access-token'));
    world.wait(month);
    const lost = (await member.tend()) ?? '';
    answered(await world.kms.destroy(lost));
    world.wait(330);
    assert.equal(await member.tend(), lost);
    assert.deepEqual(await statuses(member), ['active', 'retired']);
    const another = await member.tend();
    world.wait(330);
    assert.equal(await member.tend(), another);
    assert.deepEqual(await statuses(member), ['retired', 'retired', 'active']);
  });

  it('takes no name that a key had before', async () => {
    const kms = memoryKeys();
    for (const name of ['000001', '000003']) answered(await kms.create({ algorithm: 'ES256', name }));
    const world = openWorld(openMemoryEventStore(), kms);
    const member = world.member();
    const active = answered(await member.signer.activeKey('access-token'));
    world.wait(month);
    assert.ok(![undefined, active.kid].includes(await member.tend()));
    assert.deepEqual(await statuses(member), ['retired', 'active', 'published']);
  });
});
