/** Rebuilds that were cut off: who goes on with what is there, and who must not. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { EventStore } from '../../../infra/ports/event-store';
import type { View, ViewWriter } from '../../../infra/ports/views/view-store';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { recordSkip, type SkipRequest } from '../../../projections/kernel/skipped-events';
import { counterProjection, counterStream, recordTicks } from '../../support/domain/counter-context';
import { useProjectors } from '../../support/domain/projector-fixture';

const events = 1_200;

const word: SkipRequest = {
  verb: 'skip',
  stream: counterStream('c0'),
  revision: 99,
  reason: 'Ticked by hand.',
  id: '00000000-0000-4000-9000-000000000001',
  actor: 'operator:ann',
  at: '2026-01-31T12:00:00.000Z' as Instant,
};

describe('an interrupted rebuild', () => {
  const { stage, table, run, reaches, ticksOf } = useProjectors();
  const projection = counterProjection(table);

  beforeEach(async () => {
    run(projection);
    for (let index = 0; index < events / 100; index += 1) await recordTicks(stage.store, `c${index}`, 99);
    await reaches(`c${events / 100 - 1}`, 99);
  });

  interface Begun {
    readonly resumedFrom?: unknown;
  }

  /** Ends by the signal after the first batch, as a process does that drains. */
  const start = async (changed: Partial<Parameters<typeof rebuild>[0]> = {}, cut = false) => {
    const stopping = new AbortController();
    let begun: Begun = {};
    const rebuilt = await rebuild({
      store: stage.store,
      writer: stage.views.writer,
      signal: stopping.signal,
      projection,
      acceptDifferences: false,
      code: 'this',
      progress: (fields, message) => {
        if (message === 'begun') begun = fields;
        if (message === 'replaying' && cut) stopping.abort();
      },
      ...changed,
    });
    return { rebuilt, begun, code: isLeft(rebuilt) ? rebuilt.left.code : 'none' };
  };

  const whole = ({ rebuilt }: Awaited<ReturnType<typeof start>>): number => {
    if (isLeft(rebuilt)) assert.fail(rebuilt.left.detail);
    assert.deepEqual(rebuilt.right.digests?.before, rebuilt.right.digests?.after);
    return rebuilt.right.events;
  };

  it('goes on from where it was, with the same rows in the end', async () => {
    assert.equal((await start({}, true)).code, 'drained');
    const next = await start();
    assert.equal(typeof next.begun.resumedFrom, 'string');
    const written = whole(next);
    assert.ok(written > 0 && written < events);
    assert.equal(await ticksOf('c0'), 99);
  });

  for (const [what, changed] of [
    ['other code', { code: 'that' }],
    ['code that nobody named', { code: undefined }],
    ['a view that is declared otherwise', { projection: { ...projection, view: { ...table, indexes: [['ticks']] } } }],
  ] as const)
    it(`is begun again by ${what}`, async () => {
      await start({}, true);
      const next = await start(changed as Parameters<typeof start>[0]);
      assert.equal(next.begun.resumedFrom, undefined);
      assert.equal(whole(next), events);
    });

  it('is begun again after a skip, which may concern what is written already', async () => {
    await start({}, true);
    const recorded = await recordSkip(stage.store, projection, word);
    assert.ok(isRight(recorded));
    const next = await start({ acceptDifferences: true });
    assert.equal(next.begun.resumedFrom, undefined);
    assert.equal(await ticksOf('c0'), 98);
  });

  it('goes on where rows are personal, too: erasures since then are in the part that is left', async () => {
    const personal = { ...projection, view: { ...table, personal: true } as unknown as View };
    await start({ projection: personal }, true);
    assert.equal(typeof (await start({ projection: personal })).begun.resumedFrom, 'string');
  });

  it('is not gone on with where it came out differently, or where the view is the other one', async () => {
    const differing = counterProjection(table, 3);
    assert.equal((await start({ projection: differing })).code, 'view-differs');
    const next = await start({ projection: differing, acceptDifferences: true });
    assert.equal(next.begun.resumedFrom, undefined);
    assert.equal(await ticksOf('c0'), 297);
  });

  it('leaves the way free also when the log breaks under it', async () => {
    const broken: EventStore = { ...stage.store, head: () => Promise.reject(new Error('defect')) };
    const raised = counterProjection({ ...table, version: 2 });
    await assert.rejects(start({ store: broken, projection: raised }));
    assert.equal(whole(await start()), events);
  });

  it('does not touch the pause and copy of a rebuild that another process took over', async () => {
    const { writer } = stage.views;
    const done: string[] = [];
    const robbed: ViewWriter = {
      ...writer,
      apply: async (view, batch) => {
        if (batch.position > 0n && done.length === 0) {
          done.push('robbed');
          await writer.apply(view, batch);
        }
        return writer.apply(view, batch);
      },
      drop: async () => assert.fail('dropped what is not its own'),
      pauseWrites: async () => assert.fail('ended a hold that is not its own'),
    };
    assert.equal((await start({ writer: robbed })).code, 'view-building');
    assert.deepEqual(done, ['robbed']);
  });

  it('lets one of two at once through, and the other says so', async () => {
    const both = await Promise.all([start(), start()]);
    assert.deepEqual(both.map(({ code }) => code).sort(), ['none', 'view-building']);
  });
});
