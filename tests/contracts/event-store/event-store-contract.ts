/** What every event store behind the port does. Streams are named afresh, so it runs on a server that has history. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { EventStore, SubscriptionSignal } from '../../../infra/ports/event-store';
import { appended, aStream, collect, follow, idsIn, newEvent, newEvents, read, refusal } from './store-calls';

export const eventStoreContract = (open: () => Promise<EventStore>): void => {
  let store: EventStore;
  before(async () => {
    store = await open();
  });

  it('gives back what was appended, in order, with revisions from 0 and growing positions', async () => {
    const stream = aStream();
    const events = newEvents(5);
    const { revision, position } = await appended(store, stream, 'no-stream', events);
    const stored = await read(store, stream);
    assert.deepEqual(
      stored.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
      events,
    );
    assert.deepEqual(
      stored.map((event) => event.revision),
      [0, 1, 2, 3, 4],
    );
    assert.equal(revision, 4);
    assert.equal(stored.at(-1)?.position, position);
    const positions = stored.map((event) => event.position);
    assert.deepEqual(
      positions,
      [...new Set(positions)].toSorted((one, other) => Number(one - other)),
    );
  });

  it('reads from a revision on, and nothing where there is no stream', async () => {
    const stream = aStream();
    await appended(store, stream, 'any', newEvents(3));
    assert.deepEqual(
      (await read(store, stream, 1)).map(({ revision }) => revision),
      [1, 2],
    );
    assert.deepEqual(await read(store, stream, 3), []);
    assert.deepEqual(await read(store, aStream()), []);
  });

  it('refuses another revision than the expected one, and says which it is', async () => {
    const stream = aStream();
    assert.deepEqual(await refusal(store, stream, 0, [newEvent()]), { kind: 'wrong-revision', revision: null });
    await appended(store, stream, 'no-stream', newEvents(2));
    assert.deepEqual(await refusal(store, stream, 'no-stream', [newEvent()]), { kind: 'wrong-revision', revision: 1 });
    assert.deepEqual(await refusal(store, stream, 0, [newEvent()]), { kind: 'wrong-revision', revision: 1 });
    assert.equal((await appended(store, stream, 1, [newEvent()])).revision, 2);
  });

  it('lets one of many racing appends through', async () => {
    const stream = aStream();
    const answers = await Promise.all(newEvents(20).map((event) => store.append(stream, 'no-stream', [event])));
    assert.equal(answers.filter(isRight).length, 1);
    assert.equal((await read(store, stream)).length, 1);
  });

  it('answers a repeated append with the first one', async () => {
    const stream = aStream();
    const events = newEvents(2);
    const first = await appended(store, stream, 'no-stream', events);
    assert.deepEqual(await appended(store, stream, 'no-stream', events), first);
    assert.deepEqual(await appended(store, stream, 'any', events), first);
    assert.equal((await read(store, stream)).length, 2);
  });

  it('reads the whole log by prefix, after a position, limited, both ways', async () => {
    const streams = [aStream(), aStream()] as const;
    const start = await store.head();
    assert.ok(isRight(start));
    for (const index of [0, 1, 2, 3]) await appended(store, streams[index % 2] as string, 'any', [newEvent(index)]);
    const all = await collect(store.readAll({ after: start.right, filter: { streams } }));
    assert.deepEqual(
      all.map(({ data }) => data),
      [0, 1, 2, 3].map((index) => ({ index })),
    );
    const later = await collect(store.readAll({ after: all[1]?.position ?? 0n, filter: { streams }, limit: 1 }));
    assert.deepEqual(
      later.map(({ id }) => id),
      [all[2]?.id],
    );
    const backwards = await collect(
      store.readAll({ after: null, filter: { streams: [streams[0]] }, direction: 'backwards', limit: 2 }),
    );
    assert.deepEqual(
      backwards.map(({ id }) => id),
      [all[2]?.id, all[0]?.id],
    );
    assert.deepEqual(await store.head(), { _tag: 'Right', right: all.at(-1)?.position });
  });

  it('catches up, says so, and follows', async () => {
    const stream = aStream();
    const events = newEvents(40);
    await appended(store, stream, 'any', events.slice(0, 30));
    const following = follow(store, null, [stream], (signals) => idsIn(signals).length === 40);
    for (const event of events.slice(30)) await appended(store, stream, 'any', [event]);
    const signals = await following;
    assert.deepEqual(
      idsIn(signals),
      events.map(({ id }) => id),
    );
    const caughtUp = signals.findIndex(({ kind }) => kind === 'caught-up');
    assert.ok(caughtUp >= 30 || caughtUp === -1, 'caught-up comes after what was there');
  });

  it('resumes after a position', async () => {
    const stream = aStream();
    const events = newEvents(10);
    await appended(store, stream, 'any', events);
    const middle = (await read(store, stream))[4]?.position ?? 0n;
    const signals = await follow(store, middle, [stream], (seen) => seen.at(-1)?.kind === 'caught-up');
    assert.deepEqual(
      idsIn(signals),
      events.slice(5).map(({ id }) => id),
    );
  });

  it('tells how far it looked while nothing matches, never past an undelivered event', async () => {
    const [stream, other] = [aStream(), aStream()];
    const { position } = await appended(store, stream, 'any', [newEvent()]);
    for (let batch = 0; batch < 60; batch += 1) await appended(store, other, 'any', newEvents(50));
    const isCheckpoint = ({ kind }: SubscriptionSignal): boolean => kind === 'checkpoint';
    const signals = await follow(store, null, [stream], (seen) => seen.some(isCheckpoint) && idsIn(seen).length === 1);
    const delivered = signals.findIndex(({ kind }) => kind === 'event');
    signals.slice(0, delivered).forEach((signal) => {
      if (signal.kind === 'checkpoint') assert.ok(signal.position < position);
    });
  });

  it('ends a subscription when it is aborted', async () => {
    const leaving = new AbortController();
    const ended = collect(
      store.subscribeAll({ after: null, filter: { streams: [aStream()] }, signal: leaving.signal }),
    );
    leaving.abort();
    assert.ok(Array.isArray(await ended));
  });

  after(() => store.close());
};
