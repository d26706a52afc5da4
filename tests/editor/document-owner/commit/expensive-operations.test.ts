/** Operations that cost much are done in parts, and others have their turn in between. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentHandle } from '../../../../commands/editor/document-owner/document-handle';
import { client, events, opened, type Stage, stage, statuses, submit, writer } from '../fixture';

const eachMilliseconds = 30;

/** As many of them as are in a batch would hold everybody up for that many times as long. */
const dear = (set: object) => ({
  get set(): object {
    for (const until = performance.now() + eachMilliseconds; performance.now() < until; );
    return set;
  },
});

describe('expensive operations of one document', () => {
  let now: Stage;
  let document: DocumentHandle;
  const ada = writer(client('ada'));
  before(async () => {
    now = stage();
    document = await opened(now.owner());
    await submit(document, [ada.create(1)]);
  });
  after(() => now.close());

  const held = async (operations: Parameters<typeof submit>[1]) => {
    let longest = 0;
    let last = performance.now();
    const ticks = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    await sleep(5);
    const done = await submit(document, operations);
    clearInterval(ticks);
    return { done, longest: Math.max(longest, performance.now() - last) };
  };
  const all = (set: (index: number) => object) =>
    Array.from({ length: 20 }, (_, index) =>
      ada.operation('setProperties', dear(set(index)), { targetIds: [ada.idOf(1)] }),
    );

  it('are committed in several appends, completely and in order', async () => {
    const { done, longest } = await held(all((opacity) => ({ opacity })));
    assert.deepEqual(new Set(statuses(done)), new Set(['applied']));
    assert.deepEqual(
      done.results.map(({ version }) => version),
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
    assert.ok((await events(now)).length > 5);
    assert.ok(longest < 30 * eachMilliseconds, `${longest}`);
  });

  it('yield to other work, also if they have no effect', async () => {
    const { done, longest } = await held(all(() => ({ parentId: 'x' })));
    assert.deepEqual(new Set(statuses(done)), new Set(['rejected/malformed']));
    assert.ok(longest < 30 * eachMilliseconds, `${longest}`);
  });
});
