import assert from 'node:assert/strict';
import { readerUrl } from '../../../../infra/adapters/postgres/migrate';
import { openProcessStatusReader } from '../../../../infra/adapters/postgres/processes/process-status-store';
import { jobOf, openQueue, usePostgres, value } from './fixture';

describe('dead letters', () => {
  const stage = usePostgres();
  const dead = async (tenant: string) => {
    const queue = openQueue(stage.pool);
    await queue.add({ tenant });
    value(await queue.work.fail(await queue.claimOne(), { reason: 'never', againInMilliseconds: undefined }));
    const [letter] = value(await queue.work.deadLetters({ limit: 1 }));
    assert.ok(letter !== undefined);
    return { ...queue, letter };
  };

  it('are replayed with all their attempts, once, by those who may see them', async () => {
    const { work, letter, claimOne, claim } = await dead('acme');
    assert.equal(value(await work.replay(letter.id, 'other')), false);
    assert.equal(value(await work.replay(letter.id, 'acme')), true);
    assert.equal(value(await work.replay(letter.id, 'acme')), false);
    assert.equal((await claimOne()).attempt, 1);
    assert.deepEqual(await claim(), []);
  });

  it('say how every attempt failed, of which the newest are kept, and what they are part of', async () => {
    const queue = openQueue(stage.pool);
    await queue.add({ mostAttempts: 25 });
    for (let attempt = 1; attempt <= 25; attempt += 1)
      value(await queue.work.fail(await queue.claimOne(), { reason: `no ${attempt}`, againInMilliseconds: 0 }));
    const [letter] = value(await queue.work.deadLetters({ limit: 1 }));
    assert.equal(letter?.correlationId, 'r-1');
    const failures = letter.failures.map(({ attempt, reason }) => [attempt, reason]);
    assert.deepEqual([failures.length, failures[0], failures.at(-1)], [20, [6, 'no 6'], [25, 'no 25']]);
    assert.match(letter.failures[0]?.at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('are dropped for good', async () => {
    const { work, letter, claim, queue } = await dead('acme');
    assert.equal(value(await work.drop(letter.id, 'other')), false);
    assert.equal(value(await work.drop(letter.id)), true);
    assert.equal(value(await work.replay(letter.id)), false);
    assert.deepEqual(await claim(), []);
    assert.equal(value(await work.enqueue(jobOf(queue, { key: letter.key }))), 'known');
  });

  it('are listed page by page, the newest first, of one tenant when asked so', async () => {
    const letters = [await dead('page'), await dead('other'), await dead('page'), await dead('page')];
    const { work } = openQueue(stage.pool);
    const reader = openProcessStatusReader({ url: readerUrl({ url: stage.url, readerPassword: 'reads' }) });
    const ids = letters.filter(({ letter }) => letter.tenant === 'page').map(({ letter }) => letter.id);
    for (const { deadLetters } of [work, reader.jobs]) {
      const first = value(await deadLetters({ tenant: 'page', limit: 2 }));
      const before = first.at(-1)?.id ?? '';
      const rest = value(await deadLetters({ tenant: 'page', limit: 2, before }));
      assert.deepEqual(
        [...first, ...rest].map(({ id }) => id),
        ids.toReversed(),
      );
      assert.deepEqual(value(await deadLetters({ limit: 100 })), value(await work.deadLetters({ limit: 100 })));
    }
    await reader.close();
  });

  it('are not found under what is no id', async () => {
    const { work } = openQueue(stage.pool);
    for (const id of ['', '-1', '1; drop table x', '99999999999999999999', 'NaN']) {
      assert.equal(value(await work.replay(id)), false);
      assert.equal(value(await work.drop(id)), false);
      assert.deepEqual(value(await work.deadLetters({ before: id, limit: 1 })), []);
    }
  });

  it('stay when what ended well is forgotten', async () => {
    const { work, add, claimOne, pass, letter } = await dead('acme');
    const done = await add();
    value(await work.complete(await claimOne()));
    assert.equal(value(await work.purge(60)), 0);
    await pass(61_000);
    assert.equal(value(await work.purge(60)), 1);
    assert.equal(value(await work.enqueue(done)), 'queued');
    assert.equal(value(await work.replay(letter.id)), true);
  });
});
