/** Persistent subscriptions through the official client: the answers and errors that code is written against. */
import assert from 'node:assert/strict';
import {
  persistentSubscriptionToAllSettingsFromDefaults as allSettings,
  DISPATCH_TO_SINGLE,
  END,
  eventTypeFilter,
  jsonEvent,
  PARK,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionDroppedError,
  PersistentSubscriptionExistsError,
  PersistentSubscriptionMaximumSubscribersReachedError,
  type PersistentSubscriptionToAll,
  type PersistentSubscriptionToStream,
  RETRY,
  START,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
} from '@eventstore/db-client';
import type { Server } from '../harness/server-under-test';
import { freshStream } from '../harness/stream-requests';

type Subscription = PersistentSubscriptionToStream | PersistentSubscriptionToAll;

const failureOf = (subscription: Subscription): Promise<Error> =>
  new Promise((resolve) => void subscription.once('error', resolve).resume());

const events = (count: number, type = 'Happened') =>
  Array.from({ length: count }, (_, index) => jsonEvent({ type, data: { index } }));

export const persistentClientContract = ({ client }: Server): void => {
  const group = 'workers';
  const open: Subscription[] = [];
  afterEach(async () => {
    for (const subscription of open.splice(0)) await subscription.unsubscribe();
  });
  const subscribe = (stream: string): PersistentSubscriptionToStream => {
    const subscription = client().subscribeToPersistentSubscriptionToStream(stream, group);
    open.push(subscription);
    return subscription;
  };
  const streamWith = async (count: number, settings = {}): Promise<string> => {
    const stream = freshStream('client-group');
    if (count > 0) await client().appendToStream(stream, events(count));
    const all = streamSettings({ startFrom: START, ...settings });
    await client().createPersistentSubscriptionToStream(stream, group, all);
    return stream;
  };

  it('gives everything in order to one who acknowledges, with its default buffer', async () => {
    const stream = await streamWith(200);
    const subscription = subscribe(stream);
    const seen: number[] = [];
    for await (const resolved of subscription) {
      seen.push(Number(resolved.event?.revision));
      await subscription.ack(resolved);
      if (seen.length === 200) break;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 200 }, (_, index) => index),
    );
  });

  it('retries, parks and replays on request', async () => {
    const stream = await streamWith(1);
    const subscription = subscribe(stream);
    const counts: string[] = [];
    for await (const resolved of subscription) {
      counts.push(`${resolved.retryCount}${resolved.link === undefined ? '' : ' replayed'}`);
      if (counts.length === 1) await subscription.nack(RETRY, 'again', resolved);
      if (counts.length === 3) break;
      if (counts.length !== 2) continue;
      await subscription.nack(PARK, 'later', resolved);
      const parked = async () => (await client().getPersistentSubscriptionToStreamInfo(stream, group)).stats;
      while ((await parked()).parkedMessageCount === 0n);
      await client().replayParkedMessagesToStream(stream, group);
    }
    assert.deepEqual(counts, ['0', '1', '0 replayed']);
  });

  it('describes a group as it was made, and lists it', async () => {
    const stream = await streamWith(3, { startFrom: END, consumerStrategyName: DISPATCH_TO_SINGLE, maxRetryCount: 7 });
    const info = await client().getPersistentSubscriptionToStreamInfo(stream, group);
    assert.deepEqual([info.eventSource, info.groupName], [stream, group]);
    assert.deepEqual([info.settings.startFrom, info.settings.maxRetryCount], [END, 7]);
    assert.equal(info.settings.consumerStrategyName, DISPATCH_TO_SINGLE);
    assert.equal(info.settings.maxSubscriberCount, 'unbounded');
    assert.equal(info.stats.lastCheckpointedEventRevision, undefined);
    const listed = await client().listPersistentSubscriptionsToStream(stream);
    assert.equal(listed[0]?.groupName, group);
    assert.ok((await client().listAllPersistentSubscriptions()).some(({ eventSource }) => eventSource === stream));
  });

  it('throws what is to be thrown', async () => {
    const stream = await streamWith(0, { maxSubscriberCount: 1 });
    const none = freshStream('client-group');
    const settings = streamSettings();
    await assert.rejects(
      client().createPersistentSubscriptionToStream(stream, group, settings),
      PersistentSubscriptionExistsError,
    );
    for (const refused of [
      client().updatePersistentSubscriptionToStream(none, group, settings),
      client().deletePersistentSubscriptionToStream(none, group),
      client().getPersistentSubscriptionToStreamInfo(none, group),
      client().replayParkedMessagesToStream(none, group),
    ])
      await assert.rejects(refused, PersistentSubscriptionDoesNotExistError);
    assert.ok((await failureOf(subscribe(none))) instanceof PersistentSubscriptionDoesNotExistError);
    const first = subscribe(stream);
    await new Promise((resolve) => void first.once('confirmation', resolve).resume());
    assert.ok((await failureOf(subscribe(stream))) instanceof PersistentSubscriptionMaximumSubscribersReachedError);
    const dropped = failureOf(first);
    await client().deletePersistentSubscriptionToStream(stream, group);
    assert.ok((await dropped) instanceof PersistentSubscriptionDroppedError);
  });

  it('follows $all with a filter', async () => {
    const type = freshStream('Type');
    const [stream, name] = [freshStream('client-all'), freshStream('group')];
    const filter = eventTypeFilter({ prefixes: [type] });
    await client().createPersistentSubscriptionToAll(name, allSettings({ startFrom: END }), { filter });
    await client().appendToStream(stream, [...events(2), ...events(2, type), ...events(1)]);
    const subscription = client().subscribeToPersistentSubscriptionToAll(name);
    open.push(subscription);
    const seen: number[] = [];
    for await (const resolved of subscription) {
      seen.push(Number(resolved.event?.revision));
      await subscription.ack(resolved);
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen, [2, 3]);
    const info = await client().getPersistentSubscriptionToAllInfo(name);
    assert.deepEqual([info.eventSource, info.settings.startFrom], ['$all', END]);
    await client().updatePersistentSubscriptionToAll(name, allSettings({ startFrom: START, maxRetryCount: 2 }));
    assert.equal((await client().getPersistentSubscriptionToAllInfo(name)).settings.maxRetryCount, 2);
    await client().deletePersistentSubscriptionToAll(name);
  });

  it('restarts the subsystem', async () => {
    const stream = await streamWith(0);
    const subscription = subscribe(stream);
    await new Promise((resolve) => void subscription.once('confirmation', resolve).resume());
    const dropped = failureOf(subscription);
    await client().restartPersistentSubscriptionSubsystem();
    assert.ok((await dropped) instanceof PersistentSubscriptionDroppedError);
  });
};
