/** Maintenance of the embedded node as a process: scavenges that are stopped or cut off, an orderly end, and the verbs. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import type { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import { ScavengeResp } from '@eventstore/db-client/generated/operations_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { append } from '../protocol/harness/raw-calls';
import { proposed } from '../protocol/harness/stream-requests';
import { directoriesForTests } from './fixture';
import {
  scavenge,
  scavengeReply,
  startScavenge,
  stopScavenge,
  waitForCompletion,
  withMaintainedNode,
} from './scavenge-calls';
import { newEvents, setMetadata, storeEvents, withStoredLog } from './stored-log';
import { verifyInProcess } from './verify-log';

const { STARTED, INPROGRESS, STOPPED } = ScavengeResp.ScavengeResult;

/** So much that no scavenge is over before a second request comes. */
const removable = 40_000;
const fillMuch = (data: string): Promise<void> =>
  withStoredLog(data, async (stored) => {
    for (let written = 0; written < removable; written += 1_000)
      await storeEvents(stored, 'much', newEvents(1_000, 10));
    await setMetadata(stored, 'much', '{"$maxCount":1}');
  });

const shutDown = (operations: OperationsClient): Promise<unknown> =>
  new Promise((resolve, reject) => {
    operations.shutdown(new Empty(), (error, reply) => (error === null ? resolve(reply) : reject(error)));
  });

const started = async (operations: OperationsClient): Promise<{ readonly id: string; readonly result: number }> =>
  scavengeReply(await startScavenge(operations));

describe('maintenance of the embedded node', () => {
  const directory = directoriesForTests('maintenance');
  let filled = '';
  before(async () => {
    filled = directory();
    await fillMuch(filled);
  });
  const filledDirectory = (): string => {
    const data = directory();
    cpSync(filled, data, { recursive: true });
    return data;
  };

  it('runs one scavenge at a time, stops it when asked, and goes on where it stopped', async () => {
    const data = filledDirectory();
    await withMaintainedNode(data, async ({ client, operations }) => {
      const first = await started(operations);
      assert.equal(first.result, STARTED);
      assert.deepEqual(await started(operations), { id: first.id, result: INPROGRESS });
      assert.deepEqual(scavengeReply(await stopScavenge(operations, first.id)), { id: first.id, result: STOPPED });
      const stopped = await waitForCompletion(client, first.id);
      assert.equal(stopped.result, 'Stopped');
      const rest = await scavenge({ client, operations });
      assert.equal(stopped.eventsRemoved + rest.eventsRemoved, removable - 1);
    });
    assert.equal((await verifyInProcess(data)).removed.events, removable - 1);
  });

  for (const end of ['kill', 'stop'] as const)
    it(`records a scavenge as interrupted that ${end} of the node cut off`, async () => {
      const data = filledDirectory();
      const id = await withMaintainedNode(data, async ({ operations }, node) => {
        const first = await started(operations);
        const ended = await node[end]();
        if (end === 'stop') assert.equal(ended, 0);
        return first.id;
      });
      await verifyInProcess(data);
      await withMaintainedNode(data, async (maintained) => {
        assert.equal((await waitForCompletion(maintained.client, id)).result, 'Interrupted');
        assert.equal((await scavenge(maintained)).result, 'Success');
      });
      assert.equal((await verifyInProcess(data)).removed.events, removable - 1);
    });

  it('shuts down cleanly by a request over the wire', async () => {
    const data = directory();
    await withMaintainedNode(data, async ({ client, operations }, node) => {
      await append(client, { stream: 'a', events: [proposed()] });
      await shutDown(operations);
      assert.equal(await node.stop(), 0);
    });
    // This one and the log's own first event.
    assert.equal((await verifyInProcess(data)).events, 2);
  });
});
