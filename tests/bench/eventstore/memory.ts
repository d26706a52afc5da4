/** Unshared memory with a million events in a hundred thousand streams, after everything was written, read and followed. */

import { connectTo } from '../../contracts/eventstore-node/protocol/harness/local-node';
import { append, read } from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import { isFailed } from '../../contracts/eventstore-node/protocol/harness/replies';
import { several } from '../../contracts/eventstore-node/protocol/harness/stream-requests';
import { gather } from '../../faults/eventstore-node/many-subscriptions';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { startEventStoreNode } from '../../support/servers/event-store-node';
import { fromCallers, report } from '../measure';
import { fill, streamCount, streamName } from './fill';

const events = 1_000_000;
const streamsRead = 20_000;
const streamsWritten = 20_000;
const followers = 4;

export const benchMemory = async (): Promise<void> => {
  const data = temporaryDirectory('bench-memory');
  await fill(data.path, events);
  const node = await startEventStoreNode(data.path);
  const client = connectTo(node);
  const reportMemory = (name: string): void =>
    report({ name: `eventstore.memory.${name}`, value: node.unsharedMemory() / 1024, unit: 'MiB' });
  reportMemory('started');
  await fromCallers(32, streamsRead, async (index) => {
    const { failed } = await read(client, { stream: streamName(index * 5), count: 10 });
    if (failed !== undefined) throw new Error(failed.details);
  });
  reportMemory('streamsRead');
  await fromCallers(32, streamsWritten, async (index) => {
    const answer = await append(client, { stream: streamName(streamCount - 1 - index), events: several(1) });
    if (isFailed(answer)) throw new Error(answer.details);
  });
  reportMemory('streamsWritten');
  const crowd = await gather(node, { size: followers, by: () => ({}) });
  if (crowd.counts.some((count) => count < events)) throw new Error(`${crowd.counts.join(', ')} events`);
  reportMemory('allFollowed');
  crowd.close();
  client.close();
  await node.stop();
  data.remove();
};
