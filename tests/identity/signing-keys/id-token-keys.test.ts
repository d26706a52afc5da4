/** Keys of ID tokens: beside those of access tokens, with the same life. */
import assert from 'node:assert/strict';
import { compactVerify, importJWK } from 'jose';
import { signToken } from '../../../commands/identity/oauth/token/sign-token';
import { type SigningKeyCommand, signingKey } from '../../../domain/identity/signing-keys/decider';
import { type SigningKeyEvent, signingKeysStream } from '../../../domain/identity/signing-keys/events';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { memoryKeys } from '../../../infra/adapters/kms/memory-keystore';
import type { PublicJwk } from '../../../infra/ports/kms';
import { given } from '../../kernel/domain/given-when-then';
import { noon } from '../examples';
import { first, kidOf, later, newIdTokenKey, newKey, turn } from './examples';
import { accessTokenKids, activeKid, answered, openWorld, serveKeys, statuses } from './signing-processes';

const month = 30 * 86_400;
const idTokenKids = (keys: readonly PublicJwk[]): readonly string[] =>
  keys.filter(({ alg }) => alg === 'RS256').map(({ kid }) => kid);

describe('the key of ID tokens', () => {
  it('is made beside that of an installation whose log has keys of access tokens only', async () => {
    const kms = memoryKeys();
    const old = answered(await kms.create({ algorithm: 'ES256', name: '000001' }));
    const world = openWorld(openMemoryEventStore(), kms);
    const before = world.member();
    answered(await before.signer.activeKey('access-token'));
    assert.deepEqual(await statuses(before, 'id-token'), []);
    const after = world.member();
    const published = answered(await after.signer.publicKeys());
    assert.deepEqual(
      published.map(({ alg }) => alg),
      ['ES256', 'RS256'],
    );
    assert.equal(answered(await after.signer.activeKey('access-token')).kid, old.kid);
    const key = answered(await after.signer.activeKey('id-token'));
    assert.deepEqual([key.kid], idTokenKids(published));
    const token = answered(await signToken(after.signer, key, { typ: 'JWT', claims: { sub: 'a' } }));
    const { protectedHeader } = await compactVerify(token, await importJWK({ ...key }, 'RS256'));
    assert.deepEqual(protectedHeader, { alg: 'RS256', typ: 'JWT', kid: key.kid });
  });

  it('is one, however many processes need it first', async () => {
    const world = openWorld();
    const members = [world.member(), world.member(), world.member()];
    const kids = await Promise.all(members.map(async ({ signer }) => answered(await signer.activeKey('id-token')).kid));
    assert.equal(new Set(kids).size, 1);
    assert.deepEqual(idTokenKids(answered(await world.kms.list())), [kids[0]]);
  });

  it('rotates like the other: published, active minutes later, accepted for as long as its tokens live', async () => {
    const world = openWorld();
    const member = world.member();
    const [old] = idTokenKids(answered(await member.signer.publicKeys()));
    world.wait(month);
    await member.tend();
    const [, next] = idTokenKids(answered(await member.signer.publicKeys()));
    assert.deepEqual(await statuses(member, 'id-token'), ['active', 'published']);
    assert.deepEqual(await statuses(member, 'access-token'), ['active', 'published']);
    world.wait(330);
    await member.tend();
    assert.equal(await activeKid(member, 'id-token'), next);
    assert.deepEqual(await statuses(member, 'access-token'), ['retired', 'active']);
    assert.deepEqual(idTokenKids(answered(await member.signer.publicKeys())), [old, next]);
    world.wait(3_660);
    await member.tend();
    assert.deepEqual(idTokenKids(answered(await member.signer.publicKeys())), [next]);
    assert.deepEqual(idTokenKids(answered(await world.kms.list())), [next]);
  });

  it('moves with the other to another keystore', async () => {
    const world = openWorld();
    const [before] = idTokenKids(answered(await world.member().signer.publicKeys()));
    const moved = world.member({ ...memoryKeys(), keystore: 'pkcs11:device' });
    await moved.tend();
    const active = answered(await moved.signer.activeKey('id-token')).kid;
    assert.notEqual(active, before);
    assert.deepEqual(idTokenKids(answered(await moved.deps.kms.list())), [active]);
    assert.deepEqual(idTokenKids(answered(await moved.signer.publicKeys())), [before, active]);
  });

  it('may be missing where a device cannot make one: access tokens are signed and verified', async () => {
    const refusal = { kind: 'rejection', code: 'algorithm-unsupported', detail: 'The device has no RS256.' } as const;
    const whole = memoryKeys();
    const world = openWorld(openMemoryEventStore(), {
      ...whole,
      create: async (wanted) => (wanted.algorithm === 'RS256' ? { _tag: 'Left', left: refusal } : whole.create(wanted)),
    });
    const { signer, tend } = world.member();
    assert.equal(accessTokenKids(answered(await signer.publicKeys())).length, 1);
    answered(await signer.check());
    world.wait(month);
    await tend();
    assert.equal(accessTokenKids(answered(await signer.publicKeys())).length, 2);
    const missing = await signer.activeKey('id-token');
    assert.deepEqual(missing, {
      _tag: 'Left',
      left: { kind: 'fault', code: 'signing-unavailable', detail: 'The device has no RS256.' },
    });
  });

  it('is rotated with the other by one request, or alone by its algorithm', async () => {
    const world = openWorld();
    const member = world.member();
    answered(await member.signer.publicKeys());
    const service = await serveKeys(member);
    assert.equal((await service.post('rotate', {})).status, 201);
    assert.deepEqual(await statuses(member, 'access-token'), ['active', 'published']);
    assert.deepEqual(await statuses(member, 'id-token'), ['active', 'published']);
    world.wait(330);
    await member.tend();
    const alone = (await (await service.post('rotate', { algorithm: 'RS256' })).json()) as { kid: string };
    assert.deepEqual(await statuses(member, 'access-token'), ['retired', 'active']);
    assert.deepEqual(await statuses(member, 'id-token'), ['retired', 'active', 'published']);
    assert.equal((await member.keys()).get(alone.kid as never)?.algorithm, 'RS256');
    await service.close();
  });

  it('is replaced at once when it is revoked, and the other stays', async () => {
    const world = openWorld();
    const member = world.member();
    answered(await member.signer.publicKeys());
    const [before, other] = [await activeKid(member, 'id-token'), await activeKid(member)];
    const service = await serveKeys(member);
    assert.equal((await service.post(`${before}/revoke`, { reason: 'Leaked.' })).status, 200);
    assert.deepEqual(await statuses(member, 'id-token'), ['revoked', 'active']);
    assert.equal(await activeKid(member), other);
    const served = await service.published();
    assert.deepEqual([served.length, served.some(({ kid }) => kid === before)], [2, false]);
    const events = answered(await world.store.read(signingKeysStream)).slice(-4);
    assert.equal(new Set(events.map(({ metadata }) => (metadata as { commandId: string }).commandId)).size, 1);
    await service.close();
  });
});

describe('keys of both uses', () => {
  const keys = (...history: readonly SigningKeyEvent[]) =>
    given<SigningKeyCommand, typeof signingKey.initial, SigningKeyEvent, string>(signingKey, ...history);
  const adoptIdTokenKey: SigningKeyCommand = {
    type: 'AdoptKeys',
    active: newIdTokenKey('id'),
    earlier: [newKey('stray')],
    at: noon,
  };
  const createdIdTokenKey = [
    { type: 'KeyCreated', data: { ...newIdTokenKey('id'), createdAt: noon } },
    { type: 'KeyPublished', data: { kid: kidOf('id'), publishedAt: noon } },
    { type: 'KeyActivated', data: { kid: kidOf('id'), activatedAt: noon } },
  ] as const;
  const publishBoth: SigningKeyCommand = { type: 'PublishKeys', keys: [newKey('b'), newIdTokenKey('c')], at: noon };

  it('are active side by side', () =>
    keys(...first)
      .when(adoptIdTokenKey)
      .then(...createdIdTokenKey));

  it('are published together, and neither while one of them is about to sign', () => {
    const next = keys(...first, ...createdIdTokenKey).when(publishBoth);
    next.then(
      { type: 'KeyCreated', data: { ...newKey('b'), createdAt: noon } },
      { type: 'KeyPublished', data: { kid: kidOf('b'), publishedAt: noon } },
      { type: 'KeyCreated', data: { ...newIdTokenKey('c'), createdAt: noon } },
      { type: 'KeyPublished', data: { kid: kidOf('c'), publishedAt: noon } },
    );
  });

  it('do not replace each other', () => {
    const both = keys(...first, ...createdIdTokenKey);
    both
      .when({ type: 'ReplaceKey', kid: kidOf('one'), replacement: newIdTokenKey('x'), at: noon })
      .rejects('replacement-of-another-use');
    both
      .when({ type: 'RevokeKey', kid: kidOf('id'), reason: 'Leaked.', replacement: newKey('x'), at: noon })
      .rejects('replacement-of-another-use');
  });

  it('retire by themselves: a next key of the other use is no successor', () =>
    keys(...first, ...createdIdTokenKey, {
      type: 'KeyCreated',
      data: { ...newKey('two'), createdAt: noon },
    })
      .when({ ...turn('RetireKey', 'id'), at: later(3_600) } as SigningKeyCommand)
      .rejects('successor-missing'));
});
