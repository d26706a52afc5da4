/** A persistent subscription through one connection, every event acknowledged; the floor is a plain subscription to the same. */
import { EventStoreDBClient } from '@eventstore/db-client';
import { connectTo } from '../../contracts/eventstore-node/protocol/harness/local-node';
import { follow } from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import { isFailed } from '../../contracts/eventstore-node/protocol/harness/replies';
import {
  consume,
  createGroup,
} from '../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/stream-consumer';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { type NodeProcess, startEventStoreNode } from '../../support/servers/event-store-node';
import { rate, report } from '../measure';
import { benchEvent } from './events';

const events = 50_000;
const perAppend = 500;
const stream = 'persistent';
/** The client's default, and the size of a program that needs throughput. */
const bufferSizes = [10, 200];

const prepare = async ({ url }: NodeProcess): Promise<void> => {
  const client = EventStoreDBClient.connectionString(url);
  const some = () => Array.from({ length: perAppend }, (_, index) => benchEvent(index));
  for (let written = 0; written < events; written += perAppend) await client.appendToStream(stream, some());
  await client.dispose();
  for (const bufferSize of bufferSizes) await createGroup({ url }, { stream, group: `group-${bufferSize}` });
};

const plain = async (node: NodeProcess): Promise<void> => {
  const client = connectTo(node);
  const following = follow(client, { stream });
  for (let left = events; left > 0; ) {
    const reply = await following.next();
    if (isFailed(reply)) throw new Error(reply.details);
    if (reply.hasEvent()) left -= 1;
  }
  following.cancel();
  client.close();
};

/** Acknowledges a twentieth of its buffer at a time. */
const persistent = async (node: NodeProcess, bufferSize: number): Promise<void> => {
  const consumer = consume(node, { stream, group: `group-${bufferSize}`, bufferSize });
  const perAck = Math.ceil(bufferSize / 20);
  let ids: Parameters<typeof consumer.ack>[0] = [];
  for (let left = events; left > 0; left -= 1) {
    const got = await consumer.next();
    if (got === undefined) throw new Error(`The subscription ended with ${left} left.`);
    ids.push(got.id);
    if (ids.length < perAck && left > 1) continue;
    consumer.ack(ids);
    ids = [];
  }
  consumer.close();
};

export const benchPersistent = async (): Promise<void> => {
  const data = temporaryDirectory('bench-persistent');
  const node = await startEventStoreNode(data.path);
  await prepare(node);
  await plain(node);
  for (const bufferSize of bufferSizes) {
    const baseline = await rate(events, () => plain(node));
    const value = await rate(events, () => persistent(node, bufferSize));
    report({ name: `eventstore.persistent.buffer${bufferSize}`, value, unit: 'acked events/s', baseline });
  }
  await node.stop();
  data.remove();
};
