/**
 * Calls of the successor's client, one JSON line each: what it was, and how it went. A process of its own, because both
 * clients register the generated messages under the same global names.
 */
import { randomUUID } from 'node:crypto';
import {
  BACKWARDS,
  binaryEvent,
  END,
  jsonEvent,
  KurrentDBClient,
  NO_STREAM,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';

const client = KurrentDBClient.connectionString(process.argv[2] ?? '');
const stream = `successor-${randomUUID()}`;
const group = 'workers';
const settings = persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START });
const filter = streamNameFilter({ prefixes: [stream] });

const event = (number: number) => jsonEvent({ type: 'Counted', data: { number }, metadata: { actor: 'a' } });

interface Resolved {
  readonly event?: { readonly data: unknown } | undefined;
}

const numberOf = ({ event: recorded }: Resolved): unknown =>
  (recorded?.data as { readonly number?: number } | undefined)?.number;

const take = async (events: AsyncIterable<Resolved>, count = Number.POSITIVE_INFINITY): Promise<readonly unknown[]> => {
  const numbers: unknown[] = [];
  for await (const resolved of events) if (numbers.push(numberOf(resolved)) === count) break;
  return numbers;
};

const consume = async (): Promise<readonly unknown[]> => {
  const subscription = client.subscribeToPersistentSubscriptionToStream(stream, group);
  const numbers: unknown[] = [];
  for await (const resolved of subscription) {
    await subscription.ack(resolved);
    if (numbers.push(numberOf(resolved)) === 4) break;
  }
  await subscription.unsubscribe();
  return numbers;
};

/** Follows from the end, so that the event comes live. */
const followLive = async (): Promise<readonly unknown[]> => {
  const subscription = client.subscribeToStream(stream, { fromRevision: END });
  await new Promise<unknown>((resolve) => subscription.once('confirmation', resolve));
  await client.appendToStream(stream, event(3));
  const numbers = await take(subscription, 1);
  await subscription.unsubscribe();
  return numbers;
};

const readBinary = async (): Promise<unknown> => {
  const other = `${stream}-binary`;
  await client.appendToStream(other, binaryEvent({ type: 'Bytes', data: Buffer.from([0, 255]) }));
  for await (const { event: recorded } of client.readStream(other)) return Array.from(recorded?.data as Uint8Array);
  return undefined;
};

type Call = readonly [name: string, run: () => Promise<unknown>];

const calls: readonly Call[] = [
  [
    'append to a new stream',
    async () => {
      const answer = await client.appendToStream(stream, [event(0), event(1), event(2)], { streamState: NO_STREAM });
      return [answer.success, Number(answer.nextExpectedRevision)];
    },
  ],
  ['append at another revision', () => client.appendToStream(stream, event(9), { streamState: NO_STREAM })],
  ['follow a stream', followLive],
  ['read a stream', () => take(client.readStream(stream))],
  ['read backwards', () => take(client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 2 }))],
  ['read a missing stream', () => take(client.readStream(`none-${randomUUID()}`))],
  ['read bytes', readBinary],
  [
    'read the log',
    async () => (await take(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 3 }))).length,
  ],
  ['follow the log', () => take(client.subscribeToAll({ fromPosition: START, filter }), 4)],
  [
    'create a persistent subscription',
    () => client.createPersistentSubscriptionToStream(stream, group, settings).then(() => true),
  ],
  ['consume', consume],
  [
    'describe a persistent subscription',
    async () => (await client.getPersistentSubscriptionToStreamInfo(stream, group)).groupName,
  ],
  [
    'list persistent subscriptions',
    async () =>
      (await client.listPersistentSubscriptionsToStream(stream)).map(({ eventSource }) => eventSource === stream),
  ],
  [
    'update a persistent subscription',
    () =>
      client.updatePersistentSubscriptionToStream(stream, group, { ...settings, maxRetryCount: 3 }).then(() => true),
  ],
  [
    'delete a persistent subscription',
    () => client.deletePersistentSubscriptionToStream(stream, group).then(() => true),
  ],
  [
    'metadata',
    async () => {
      await client.setStreamMetadata(stream, { maxCount: 2 });
      const { metadata } = await client.getStreamMetadata(stream);
      return [metadata?.maxCount, await take(client.readStream(stream))];
    },
  ],
  ['delete', () => client.deleteStream(stream).then(() => take(client.readStream(stream)))],
  ['tombstone', () => client.tombstoneStream(stream).then(() => take(client.readStream(stream)))],
];

const run = async (): Promise<void> => {
  for (const [call, perform] of calls) {
    const outcome = await perform().catch((error: unknown) => (error as Error).constructor.name);
    process.stdout.write(`${JSON.stringify({ call, outcome })}\n`);
  }
  await client.dispose();
  process.exit(0);
};

void run();
