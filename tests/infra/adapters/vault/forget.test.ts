import assert from 'node:assert/strict';
import { forgotten } from '../../../../domain/kernel/secret';
import { joined, recordMember } from '../../../support/domain/personal-context';
import { sampleIdentity } from '../../../support/http/http-service';
import { dataOf, forgetRequest, metadataOf, officer, useForgetting } from './forget-fixture';

describe('POST /v1/privacy/forget', () => {
  const { stage, forget, nameIn, recorded } = useForgetting();

  it('forgets, and records actor, time and reason, but not the person', async () => {
    const stream = await recordMember(stage.store, joined('m-1', 'Ada'));
    const other = await recordMember(stage.store, joined('m-2', 'Grace'));
    const answer = await forget(forgetRequest);
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.deepEqual([await nameIn(stream), await nameIn(other)], [forgotten, 'Grace']);
    const [event, ...more] = await recorded();
    assert.equal(more.length, 0);
    const { reason, keys } = dataOf(event) as { reason: string; keys: readonly string[] };
    const { actor, at } = metadataOf(event);
    assert.deepEqual([reason, keys.length, actor, at], ['asked-for', 1, 'p-1', '2026-01-31T12:00:00.000Z']);
    assert.ok(!JSON.stringify([event?.data, event?.metadata, event?.stream]).includes('m-1'));
  });

  it('has one effect and one answer however often it is said', async () => {
    await recordMember(stage.store, joined('m-1', 'Ada'));
    const first = await (await forget(forgetRequest, 'key-1')).text();
    assert.equal(await (await forget(forgetRequest, 'key-1')).text(), first);
    assert.equal(await (await forget(forgetRequest, 'key-2')).text(), first);
    assert.equal((await forget({ ...forgetRequest, reason: 'court-order' }, 'key-1')).status, 422);
    assert.equal((await recorded()).length, 1);
  });

  it('is for those who have the right to, in their own tenant, and for reasons that are known', async () => {
    const stream = await recordMember(stage.store, joined('m-1', 'Ada'));
    assert.equal((await forget(forgetRequest, 'k', sampleIdentity)).status, 403);
    for (const body of [
      { subject: 'm-1' },
      { ...forgetRequest, reason: 'Ada wants it' },
      { ...forgetRequest, subject: '' },
    ])
      assert.equal((await forget(body)).status, 400);
    assert.equal((await forget(forgetRequest, 'k', { ...officer, tenantId: 'other' })).status, 200);
    assert.equal(await nameIn(stream), 'Ada');
  });

  it('answers 503 and records nothing while the vault is away', async () => {
    await recordMember(stage.store, joined('m-1', 'Ada'));
    stage.broken = 'everything';
    const answer = await forget(forgetRequest);
    assert.equal(answer.status, 503);
    assert.equal(((await answer.json()) as { code: string }).code, 'vault-unavailable');
    assert.equal((await recorded()).length, 0);
  });

  it('answers 503 when it is recorded and not done yet, and does it when it is said again', async () => {
    const stream = await recordMember(stage.store, joined('m-1', 'Ada'));
    stage.broken = 'erasing';
    assert.equal((await forget(forgetRequest, 'key-1')).status, 503);
    assert.equal((await recorded()).length, 1);
    stage.broken = 'nothing';
    assert.equal((await forget(forgetRequest, 'key-1')).status, 200);
    assert.equal((await recorded()).length, 1);
    assert.deepEqual(await nameIn(stream), forgotten);
  });
});
