/** A persistent subscription under kills: nothing is left out, and what its checkpoint passed never comes again. */
import assert from 'node:assert/strict';
import {
  consume,
  createGroup,
} from '../../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/stream-consumer';
import type { SeededRandom } from '../../../support/random/seeded-random';
import type { NodeProcess } from '../../../support/servers/event-store-node';
import { type Recorded, streamOf } from './log-invariants';

export const queueStream = 'queue';
const group = 'workers';
const subscribed = { stream: queueStream, group, bufferSize: 10 };
const checkpointStream = `$persistentsubscription-${queueStream}::${group}-checkpoint`;

export interface Queue {
  /** Revisions for which an acknowledgement was sent. */
  readonly acknowledged: Set<number>;
  /** The last one stored. */
  checkpoint: number;
}

export const emptyQueue = (): Queue => ({ acknowledged: new Set(), checkpoint: -1 });

export const createQueue = (node: NodeProcess): Promise<void> =>
  createGroup(node, subscribed, {
    maxRetryCount: 1_000,
    checkPointAfter: 100,
    checkPointLowerBound: 1,
    checkPointUpperBound: 5,
  });

/** Of the events read on: checkpoints grow, and pass nothing that was not acknowledged. */
export const followCheckpoints = (queue: Queue, events: readonly Recorded[]): void => {
  for (const event of events.filter((one) => streamOf(one) === checkpointStream)) {
    const [checkpoint] = /\d+/.exec(Buffer.from(event.getData_asU8()).toString()) ?? [];
    assert.ok(Number(checkpoint) >= queue.checkpoint, `checkpoint ${checkpoint} after ${queue.checkpoint}`);
    for (let revision = queue.checkpoint + 1; revision <= Number(checkpoint); revision += 1)
      assert.ok(queue.acknowledged.has(revision), `checkpoint ${checkpoint} passes ${revision}`);
    queue.checkpoint = Number(checkpoint);
  }
};

/** Acknowledges most of what comes, and has the rest come again; ends with the node. */
export const consumeQueue = async (node: NodeProcess, queue: Queue, random: SeededRandom): Promise<void> => {
  const passed = queue.checkpoint;
  const consumer = consume(node, subscribed);
  try {
    for (let got = await consumer.next(); got !== undefined; got = await consumer.next()) {
      assert.ok(got.revision > passed, `${got.revision} came again after checkpoint ${passed}`);
      if (random.chance(0.15)) {
        consumer.retry([got.id]);
        continue;
      }
      queue.acknowledged.add(got.revision);
      consumer.ack([got.id]);
    }
  } finally {
    consumer.close();
  }
};

/** Ends when every event was acknowledged, however often it came. */
export const drainQueue = async (node: NodeProcess, queue: Queue, events: number): Promise<void> => {
  const consumer = consume(node, subscribed);
  while (queue.acknowledged.size < events) {
    const got = await consumer.next();
    assert.ok(got !== undefined, 'the subscription ended');
    queue.acknowledged.add(got.revision);
    consumer.ack([got.id]);
  }
  consumer.close();
};
