import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { forgotten } from '../../../../domain/kernel/secret';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore, openRedactingStore } from '../../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../../infra/adapters/vault/memory-vault';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { Vault } from '../../../../infra/ports/vault';
import { joined, memberEvent, memberStream, recordMember } from '../../../support/domain/personal-context';
import { dataOf as data, readAllEvents, readByFollowing, readStreamEvents } from './read-all-ways';

describe('a store over the vault', () => {
  let away = false;
  let log: EventStore;
  let vault: Vault;
  let store: EventStore;
  beforeEach(() => {
    away = false;
    log = openMemoryEventStore();
    vault = memoryVault(() => away);
    store = openEncryptingStore(log, vault);
  });
  afterEach(() => vault.close());

  const forget = async (subject: string): Promise<void> => {
    const keys = await vault.keysOf(vault.subjectOf('acme', subject));
    assert.ok(isRight(keys));
    assert.ok(isRight(await vault.erase(keys.right)));
  };

  it('writes ciphertext and reads what was written, by every way of reading', async () => {
    const stream = await recordMember(store, joined('m-1', 'Ada Sentinel', 'ada@sentinel.example'));
    const raw = JSON.stringify(
      [...(await readStreamEvents(log, stream))].map(({ data, metadata, id }) => [data, metadata, id]),
    );
    for (const plain of ['Ada Sentinel', 'sentinel', 'a-hash-of']) assert.ok(!raw.includes(plain), raw);
    for (const [event] of [
      await readStreamEvents(store, stream),
      await readAllEvents(store),
      await readByFollowing(store, 1),
    ]) {
      assert.deepEqual(event?.data, {
        memberId: 'm-1',
        invitedBy: 'm-1',
        name: 'Ada Sentinel',
        mail: 'ada@sentinel.example',
      });
      assert.equal((event.metadata as Record<string, unknown>).commandHash, 'a-hash-of-what-was-asked-for');
    }
  });

  it('makes the same id of the same event, so that a repeated append is known, and never the one it was made of', async () => {
    const event = memberEvent(joined('m-1', 'Ada'));
    const stream = memberStream('m-1');
    const first = await store.append(stream, 'any', [event]);
    assert.deepEqual(await store.append(stream, 'any', [event]), first);
    const [stored] = await readStreamEvents(log, stream);
    assert.notEqual(stored?.id, event.id);
    assert.match(stored?.id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('forgets one subject of two, and what was made of both', async () => {
    const stream = await recordMember(store, joined('m-1', 'Ada', 'from-grace', 'm-2'));
    await forget('m-2');
    const [event] = await readStreamEvents(store, stream);
    assert.deepEqual(event?.data, { memberId: 'm-1', invitedBy: 'm-2', name: 'Ada', mail: forgotten });
    assert.equal((event.metadata as Record<string, unknown>).commandHash, 'forgotten');
    await forget('m-1');
    assert.deepEqual(data((await readAllEvents(store))[0]).name, forgotten);
  });

  it('keeps again what is recorded after the forgetting', async () => {
    const stream = await recordMember(store, joined('m-1', 'Before'));
    await forget('m-1');
    await recordMember(store, joined('m-1', 'After'));
    assert.deepEqual(
      (await readStreamEvents(store, stream)).map((event) => data(event).name),
      [forgotten, 'After'],
    );
  });

  it('keeps the subjects of tenants apart', async () => {
    await recordMember(store, joined('m-1', 'Ours'));
    const theirs = await recordMember(store, joined('m-1', 'Theirs'), 'other');
    await forget('m-1');
    assert.equal(data((await readStreamEvents(store, theirs))[0]).name, 'Theirs');
  });

  it('writes and reads nothing while the vault is away, and all of it afterwards', async () => {
    const stream = await recordMember(store, joined('m-1', 'Ada'));
    vault.drop([]);
    const cold = openEncryptingStore(
      log,
      memoryVault(() => true),
    );
    const refused = await cold.append(stream, 'any', [memberEvent(joined('m-1', 'Eve'))]);
    assert.ok(isLeft(refused) && refused.left.kind === 'fault' && refused.left.code === 'vault-unavailable');
    assert.ok(isLeft(await cold.read(stream)));
    await assert.rejects(readAllEvents(cold), /vault cannot be reached/);
    await assert.rejects(readByFollowing(cold, 1), /vault cannot be reached/);
    assert.equal((await readStreamEvents(log, stream)).length, 1);
  });

  it('does not wait for the vault where nothing is personal', async () => {
    away = true;
    const plain = { ...memberEvent({ type: 'MemberLeft', data: { memberId: 'm-1' } }) };
    assert.ok(isRight(await store.append(memberStream('m-1'), 'any', [plain])));
    assert.equal((await readAllEvents(store)).length, 1);
  });

  it('refuses a log that is older than the vault was restored to, instead of reading it as forgotten', async () => {
    await recordMember(store, joined('m-1', 'Ada'));
    const other = openEncryptingStore(log, memoryVault());
    await assert.rejects(readAllEvents(other), /does not know the key/);
  });

  it('reads personal fields as forgotten without a vault, and refuses to write them', async () => {
    const stream = await recordMember(store, joined('m-1', 'Ada', 'ada@septet.example'));
    const blind = openRedactingStore(log);
    for (const [event] of [
      await readStreamEvents(blind, stream),
      await readAllEvents(blind),
      await readByFollowing(blind, 1),
    ])
      assert.deepEqual([data(event).name, data(event).mail], [forgotten, forgotten]);
    assert.ok(isLeft(await blind.append(stream, 'any', [memberEvent(joined('m-1', 'Eve'))])));
  });

  it('cannot be gone around: the log itself takes no secrets', async () => {
    await assert.rejects(log.append(memberStream('m-1'), 'any', [memberEvent(joined('m-1', 'Ada'))]), /not sealed/);
  });

  it('needs a stream with a tenant', async () => {
    await assert.rejects(store.append('nowhere', 'any', [memberEvent(joined('m-1', 'Ada'))]), /names no tenant/);
  });
});
