import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { signingKeysStream } from '../../../domain/identity/signing-keys/events';
import { accessTokenKids, activeKid, answered, openWorld, operator, serveKeys, statuses } from './signing-processes';

type Json = Record<string, unknown>;
const jsonOf = async (answer: Response): Promise<Json> => (await answer.json()) as Json;

const opened = async () => {
  const world = openWorld();
  const member = world.member();
  const [active = ''] = accessTokenKids(answered(await member.signer.publicKeys()));
  const service = await serveKeys(member);
  const codeOf = async (answer: Promise<Response>): Promise<readonly unknown[]> => {
    const refused = await answer;
    return [refused.status, (await jsonOf(refused)).code];
  };
  return { ...world, another: world.member, member, active, ...service, codeOf };
};

describe('signing keys over HTTP', () => {
  let keys: Awaited<ReturnType<typeof opened>>;
  beforeEach(async () => {
    keys = await opened();
  });
  afterEach(() => keys.close());

  it('are rotated: the next is published at once and signs minutes later', async () => {
    const answer = await keys.post('rotate', {});
    assert.equal(answer.status, 201);
    const { kid } = await jsonOf(answer);
    assert.deepEqual(accessTokenKids(await keys.published()), [keys.active, kid]);
    assert.equal(await activeKid(keys.member), keys.active);
    keys.wait(330);
    await keys.member.tend();
    assert.equal(await activeKid(keys.member), kid);
  });

  it('are made for the algorithm that is asked for', async () => {
    const { kid } = await jsonOf(await keys.post('rotate', { algorithm: 'EdDSA' }));
    assert.equal((await keys.published()).find((one) => one.kid === kid)?.alg, 'EdDSA');
    assert.equal((await keys.post('rotate', { algorithm: 'PS256' })).status, 400);
  });

  it('are rotated once by a command that is said twice', async () => {
    const key = randomUUID();
    const [one, other] = await Promise.all([keys.post('rotate', {}, { key }), keys.post('rotate', {}, { key })]);
    assert.deepEqual([one.status, other.status], [201, 201]);
    assert.deepEqual(await jsonOf(one), await jsonOf(other));
    assert.equal(accessTokenKids(answered(await keys.kms.list())).length, 2);
  });

  it('are not rotated while a rotation is under way, and what was made for nothing is destroyed', async () => {
    await keys.post('rotate', {});
    assert.deepEqual(await keys.codeOf(keys.post('rotate', {})), [409, 'rotation-under-way']);
    assert.equal(accessTokenKids(answered(await keys.kms.list())).length, 2);
  });

  it('are revoked: the key leaves the published ones at once, and another signs', async () => {
    const answer = await keys.post(`${keys.active}/revoke`, { reason: 'Leaked.' });
    assert.equal(answer.status, 200);
    const [only, ...others] = accessTokenKids(await keys.published());
    assert.deepEqual(others, []);
    assert.notEqual(only, keys.active);
    assert.equal(answered(await keys.member.signer.activeKey('access-token')).kid, only);
    const events = answered(await keys.store.read(signingKeysStream)).slice(-4);
    assert.deepEqual(
      events.map(({ type }) => type.split('.')[1]),
      ['KeyRevoked', 'KeyCreated', 'KeyPublished', 'KeyActivated'],
    );
    assert.equal(new Set(events.map(({ metadata }) => (metadata as Json).commandId)).size, 1);
  });

  it('are revoked in another process’s sight at its next look', async () => {
    const other = keys.another();
    assert.equal(answered(await other.signer.activeKey('access-token')).kid, keys.active);
    await keys.post(`${keys.active}/revoke`, { reason: 'Leaked.' });
    const { kid } = answered(await other.signer.activeKey('access-token'));
    assert.notEqual(kid, keys.active);
    assert.deepEqual(accessTokenKids(answered(await other.signer.publicKeys())), [kid]);
  });

  it('are revoked once, also by two who ask at the same time', async () => {
    const answers = await Promise.all([1, 2].map(() => keys.post(`${keys.active}/revoke`, { reason: 'Leaked.' })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual(await statuses(keys.member), ['revoked', 'active']);
    assert.equal(accessTokenKids(answered(await keys.kms.list())).length, 2);
  });

  it('are destroyed a minute after they were revoked', async () => {
    await keys.post(`${keys.active}/revoke`, { reason: 'Leaked.' });
    keys.wait(60);
    await keys.member.tend();
    assert.deepEqual(accessTokenKids(answered(await keys.kms.list())), [await activeKid(keys.member)]);
  });

  it('are retired in favour of the next, once that may sign', async () => {
    assert.deepEqual(await keys.codeOf(keys.post(`${keys.active}/retire`, undefined)), [409, 'successor-missing']);
    const { kid } = await jsonOf(await keys.post('rotate', {}));
    keys.wait(300);
    assert.equal((await keys.post(`${keys.active}/retire`, undefined)).status, 200);
    assert.equal(await activeKid(keys.member), kid);
    assert.deepEqual(accessTokenKids(await keys.published()), [keys.active, kid]);
  });

  it('are unknown when they are', async () => {
    const unknownKey = 'A'.repeat(43);
    assert.deepEqual(await keys.codeOf(keys.post(`${unknownKey}/retire`, undefined)), [404, 'key-unknown']);
    assert.deepEqual(await keys.codeOf(keys.post(`${unknownKey}/revoke`, { reason: 'No.' })), [404, 'key-unknown']);
    assert.equal((await keys.post('not-a-key/retire', undefined)).status, 400);
  });

  it('are changed by operators of the platform only, and with the scope', async () => {
    const strangers = [
      { ...operator, tenantId: 'acme' },
      { ...operator, scopes: ['keys:read', 'platform:write'] },
    ];
    for (const identity of strangers)
      for (const [path, body] of [
        ['rotate', {}],
        [`${keys.active}/revoke`, { reason: 'Mine now.' }],
        [`${keys.active}/retire`, undefined],
      ] as const)
        assert.equal((await keys.post(path, body, { identity })).status, 403);
    assert.deepEqual(await statuses(keys.member), ['active']);
    assert.equal(accessTokenKids(answered(await keys.kms.list())).length, 1);
  });

  it('are recorded in the platform’s tenant, with the caller as actor', async () => {
    await keys.post('rotate', {});
    const last = answered(await keys.store.read(signingKeysStream)).at(-1)?.metadata as Json;
    assert.deepEqual([last.tenant, last.actor], ['platform', 'admin']);
  });
});
