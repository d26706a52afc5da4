import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { recordSkip, type SkipRequest } from '../../../commands/kernel/processes/skipped-events';
import type { Instant } from '../../../domain/kernel/codec';
import { skipDecider } from '../../../domain/platform/skips/decider';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore } from '../../../infra/ports/event-store';
import { eventually } from '../../support/waiting/eventually';
import { given } from '../domain/given-when-then';
import {
  amountsIn,
  assertAdded,
  boundProcesses,
  openProcessFixture,
  orderPlaced,
  record,
  useRunningProcesses,
} from './fixture';

const poison = async (store: EventStore, metadata: unknown): Promise<void> => {
  await store.append('sample.order-acme.bad', 'any', [{ id: 'x', type: 'sample.Unknown.v9', data: {}, metadata }]);
};
const word: SkipRequest = {
  verb: 'skip',
  process: 'count-on-order',
  stream: 'sample.order-acme.bad',
  revision: 0,
  reason: 'Written by a defect.',
  actor: 'operator:me',
};
const clock = { now: () => '2026-01-31T12:00:00.000Z' as Instant };

describe('skipping an event of a process', () => {
  const run = useRunningProcesses();

  it('lets it go on past the one event that is named', async () => {
    const { store, deps } = openProcessFixture();
    const { metadata } = await record(store, orderPlaced('ada'));
    await poison(store, metadata);
    await record(store, orderPlaced('ada', 2));
    const stopped = run(boundProcesses.count, deps());
    await eventually(async () => assert.equal(stopped.status().phase, 'stopped'));
    await stopped.close();
    assert.deepEqual(await recordSkip({ store, commandMetrics: noCommandMetrics, clock }, word), {
      _tag: 'Right',
      right: true,
    });
    assert.deepEqual(await recordSkip({ store, commandMetrics: noCommandMetrics, clock }, word), {
      _tag: 'Right',
      right: false,
    });
    const going = run(boundProcesses.count, deps());
    await assertAdded(store, 'ada', [1_001, 2_002]);
    assert.equal(going.status().phase, 'live');
  });

  it('is withdrawn, and is of one process', async () => {
    const { store, deps } = openProcessFixture();
    const { metadata } = await record(store, orderPlaced('ada'));
    await poison(store, metadata);
    for (const verb of ['skip', 'unskip'] as const)
      assert.ok(isRight(await recordSkip({ store, commandMetrics: noCommandMetrics, clock }, { ...word, verb })));
    assert.ok(
      isRight(await recordSkip({ store, commandMetrics: noCommandMetrics, clock }, { ...word, process: 'another' })),
    );
    const stopped = run(boundProcesses.count, deps());
    await eventually(async () => assert.equal(stopped.status().phase, 'stopped'));
    assert.deepEqual(await amountsIn(store, 'ada'), [1_001]);
  });

  it('refuses what is not there', async () => {
    const refused = await recordSkip({ store: openMemoryEventStore(), commandMetrics: noCommandMetrics, clock }, word);
    assert.ok(isLeft(refused));
    assert.equal(refused.left.code, 'skip-refused');
  });

  it('changes nothing when it is said twice', () => {
    const { verb: _, process: view, revision: streamRevision, actor: __, ...rest } = word;
    const skip = { ...rest, view, streamRevision, eventId: 'x', eventType: 't' };
    const { eventId: _id, eventType: _type, ...withdrawal } = skip;
    const skipped = { type: 'EventSkipped', data: skip } as const;
    const withdrawn = { type: 'SkipWithdrawn', data: withdrawal } as const;
    given(skipDecider).when({ type: 'Skip', skip }).then(skipped);
    given(skipDecider, skipped).when({ type: 'Skip', skip }).thenNothing();
    given(skipDecider, skipped).when({ type: 'Withdraw', withdrawal }).then(withdrawn);
    given(skipDecider, skipped, withdrawn).when({ type: 'Withdraw', withdrawal }).thenNothing();
  });
});
