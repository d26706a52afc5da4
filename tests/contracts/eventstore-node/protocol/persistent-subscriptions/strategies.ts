/** Persistent subscriptions: distribution among consumers. */
import assert from 'node:assert/strict';
import type { Server } from '../harness/server-under-test';
import { freshStream, type Proposed, proposed } from '../harness/stream-requests';
import { stageOn, succeeded } from './harness/fixture';
import type { Consumer, Given } from './harness/manual-consumer';

const revisions = (given: readonly Given[]): readonly number[] =>
  given.map(({ event }) => Number(event.getEvent()?.getStreamRevision()));

export const persistentStrategiesContract = (server: Server): void => {
  const stage = stageOn(server);

  const twoConsumers = async (strategy: string, slots: number, events: readonly Proposed[]) => {
    const name = await stage.group({ strategy, from: 'end' });
    const consumers = [await stage.consume(name, slots), await stage.consume(name, slots)] as const;
    await stage.append(name.stream, events);
    return { name, consumers };
  };

  it('RoundRobin goes from one to the next', async () => {
    const { consumers } = await twoConsumers(
      'RoundRobin',
      10,
      Array.from({ length: 6 }, () => proposed()),
    );
    const given = await Promise.all(consumers.map((consumer) => consumer.take(3)));
    const [first, second] = given.map(revisions);
    assert.deepEqual([...(first ?? []), ...(second ?? [])].sort(), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(
      first?.map((revision) => revision - (first[0] ?? 0)),
      [0, 2, 4],
    );
  });

  it('DispatchToSingle keeps to one until it is full', async () => {
    const { consumers } = await twoConsumers(
      'DispatchToSingle',
      3,
      Array.from({ length: 5 }, () => proposed()),
    );
    const firsts = await Promise.all(consumers.map((consumer) => consumer.take(2)));
    const sorted = firsts.map(revisions).sort(([one = 0], [other = 0]) => one - other);
    assert.deepEqual(sorted, [
      [0, 1],
      [3, 4],
    ]);
  });

  /** Takes and acknowledges until so many events were seen; answers their `keyOf` by consumer. */
  const seenBy = async (
    consumers: readonly Consumer[],
    count: number,
    keyOf: (given: Given) => string,
  ): Promise<readonly (readonly string[])[]> => {
    let left = count;
    const seen = consumers.map((): string[] => []);
    await Promise.all(
      consumers.map(async (consumer, index) => {
        while (left > 0) {
          const given = await consumer.next();
          if (!('text' in given)) return;
          seen[index]?.push(keyOf(given));
          consumer.ack(given);
          left -= 1;
        }
        for (const other of consumers) other.cancel();
      }),
    );
    return seen;
  };

  const assertPinned = (seen: readonly (readonly string[])[], count: number): void => {
    const [first = [], second = []] = seen;
    assert.equal(first.length + second.length, count);
    assert.deepEqual(
      [...new Set(first)].filter((key) => second.includes(key)),
      [],
    );
  };

  it('Pinned gives a stream to one consumer, here that of the links', async () => {
    const streams = Array.from({ length: 8 }, () => freshStream('pinned'));
    for (const stream of streams) await stage.append(stream, 3);
    const links = [0, 1, 2].flatMap((revision) =>
      streams.map((stream) => proposed({ type: '$>', data: Buffer.from(`${revision}@${stream}`) })),
    );
    const name = await stage.group({ strategy: 'Pinned', resolveLinks: true });
    const consumers = [await stage.consume(name, 50), await stage.consume(name, 50)];
    await stage.append(name.stream, links);
    const streamOf = ({ event }: Given) =>
      Buffer.from(event.getEvent()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    assertPinned(await seenBy(consumers, links.length, streamOf), links.length);
  });

  it('PinnedByCorrelation gives a correlation to one consumer', async () => {
    const correlationOf = (index: number) => `correlation-${index % 8}`;
    const events = Array.from({ length: 24 }, (_, index) =>
      proposed({ metadata: Buffer.from(JSON.stringify({ $correlationId: correlationOf(index) })) }),
    );
    const { consumers } = await twoConsumers('PinnedByCorrelation', 50, events);
    const keyOf = ({ event }: Given) => correlationOf(Number(event.getEvent()?.getStreamRevision()));
    assertPinned(await seenBy(consumers, events.length, keyOf), events.length);
  });

  it('Pinned goes on with who is left', async () => {
    const name = await stage.group({ strategy: 'Pinned' }, 4);
    const first = await stage.consume(name, 2);
    await first.take(2);
    const second = await stage.consume(name, 10);
    first.cancel();
    const given = await second.take(4);
    assert.deepEqual(revisions(given), [0, 1, 2, 3]);
    second.ack(...given);
    succeeded(await stage.calls().remove(name));
  });
};
