import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { type LogFault, openFaultyLog } from '../faulty-log';
import { client, events, opened, type Stage, stage, statuses, submit, writer } from '../fixture';
import { assertWhole } from '../log-invariants';
import { appendsFor } from '../settings';

describe('an append with an unknown outcome', () => {
  let now: Stage;
  afterEach(() => now.close());
  const cases: readonly (readonly [string, readonly LogFault[]])[] = [
    ['is found in the log', ['answer-lost']],
    ['is made again, as it was, when it is not there', ['request-lost', 'unavailable']],
    ['counts once when it arrives after it was made again', ['late']],
    ['is looked for until the log can be read', ['answer-lost', 'unavailable', 'answer-lost']],
  ];
  for (const [what, moods] of cases)
    it(what, async () => {
      now = stage({ append: appendsFor(1_000) });
      const next: LogFault[] = [];
      const { store, arrive } = openFaultyLog(now.store, () => next.shift() ?? 'works');
      const document = await opened(now.owner({ store }));
      const ada = writer(client('ada'));
      next.push(...moods);
      assert.deepEqual(statuses(await submit(document, [ada.create(1)])), ['applied']);
      assert.deepEqual(statuses(await submit(document, [ada.create(2)])), ['applied']);
      await arrive();
      assert.equal(assertWhole(await events(now)).size, 2);
    });

  it('is given up when its outcome stays unknown, and is never acknowledged', async () => {
    now = stage({ append: appendsFor(5) });
    let mood: LogFault = 'works';
    const { store, arrive } = openFaultyLog(now.store, () => mood, Number.POSITIVE_INFINITY);
    const document = await opened(now.owner({ store }));
    const broadcasts: unknown[] = [];
    document.subscribe((one) => broadcasts.push(one));
    const ada = writer(client('ada'));
    mood = 'late';
    const operations = [ada.create(1)];
    const lost = await document.submit({ clientId: ada.clientId, principalId: 'ada', schema: 2, operations });
    assert.ok(isLeft(lost) && lost.left.kind === 'fault');
    assert.equal(document.ended.reason, 'faulted');
    assert.deepEqual(broadcasts, []);
    mood = 'works';
    // The next owner's first event stands where it would have gone.
    const next = await opened(now.rival());
    await arrive();
    assert.deepEqual(statuses(await submit(next, operations)), ['applied']);
    assert.equal(assertWhole(await events(now)).size, 1);
  });
});
