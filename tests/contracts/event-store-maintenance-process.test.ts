/** Maintenance of the embedded node as a process: scavenges that are stopped or cut off, an orderly end, and the verbs. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import { ScavengeResp } from '@eventstore/db-client/generated/operations_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { fileOf } from '../../infra/eventstore/node/storage/database';
import { temporaryDirectory } from '../support/event-store-node';
import {
  type Completion,
  completionOf,
  scavenge,
  scavengeReply,
  startScavenge,
  stopScavenge,
  withMaintained,
} from './event-store-maintenance/scavenges';
import { fill, setMetadata, several, withStored, write } from './event-store-maintenance/stored-log';
import { runVerb, verified } from './event-store-maintenance/verified';
import { append } from './event-store-protocol/calls';
import { proposed } from './event-store-protocol/messages';
import { givenUrl } from './event-store-protocol/server';

const { STARTED, INPROGRESS, STOPPED } = ScavengeResp.ScavengeResult;

/** So much that no scavenge is over before a second request comes. */
const removable = 40_000;
const fillMuch = (data: string): Promise<void> =>
  withStored(data, async (stored) => {
    for (let written = 0; written < removable; written += 1_000) await write(stored, 'much', several(1_000));
    await setMetadata(stored, 'much', '{"$maxCount":1}');
  });

const shutDown = (operations: OperationsClient): Promise<unknown> =>
  new Promise((resolve, reject) => {
    operations.shutdown(new Empty(), (error, reply) => (error === null ? resolve(reply) : reject(error)));
  });

const started = async (operations: OperationsClient): Promise<{ readonly id: string; readonly result: number }> =>
  scavengeReply(await startScavenge(operations));

describe('maintenance of the embedded node', () => {
  const home = temporaryDirectory('maintenance');
  let made = 0;
  const directory = (): string => {
    made += 1;
    return join(home.path, String(made));
  };
  before(function () {
    if (givenUrl !== undefined) this.skip();
  });
  after(() => home.remove());

  it('runs one scavenge at a time, stops it when asked, and goes on where it stopped', async () => {
    const data = directory();
    await fillMuch(data);
    await withMaintained(data, async ({ client, operations }) => {
      const first = await started(operations);
      assert.equal(first.result, STARTED);
      assert.deepEqual(await started(operations), { id: first.id, result: INPROGRESS });
      assert.deepEqual(scavengeReply(await stopScavenge(operations, first.id)), { id: first.id, result: STOPPED });
      const stopped = await completionOf(client, first.id);
      assert.equal(stopped.result, 'Stopped');
      const rest = await scavenge({ client, operations });
      assert.equal(stopped.eventsRemoved + rest.eventsRemoved, removable - 1);
    });
    assert.equal((await verified(data)).scavenged.events, removable - 1);
  });

  for (const end of ['kill', 'stop'] as const)
    it(`records a scavenge as interrupted that ${end} of the node cut off`, async () => {
      const data = directory();
      await fillMuch(data);
      const id = await withMaintained(data, async ({ operations }, node) => {
        const first = await started(operations);
        const ended = await node[end]();
        if (end === 'stop') assert.equal(ended, 0);
        return first.id;
      });
      await verified(data);
      await withMaintained(data, async (maintained) => {
        assert.equal((await completionOf(maintained.client, id)).result, 'Interrupted');
        assert.equal((await scavenge(maintained)).result, 'Success');
      });
      assert.equal((await verified(data)).scavenged.events, removable - 1);
    });

  it('ends in an orderly way when told to over the wire', async () => {
    const data = directory();
    await withMaintained(data, async ({ client, operations }, node) => {
      await append(client, { stream: 'a', events: [proposed()] });
      await shutDown(operations);
      assert.equal(await node.stop(), 0);
    });
    assert.equal((await verified(data)).events, 1);
  });

  it('scavenges a running node by its address, and a directory that none serves', async () => {
    const data = directory();
    await withStored(data, (stored) => fill(stored));
    const first = await withMaintained(data, async (_, node) => {
      const refused = await runVerb('scavenge', '--data', data);
      assert.equal(refused.code, 1);
      assert.equal(refused.errors.trim().split('\n').length, 1);
      assert.ok(refused.errors.includes(String(node.pid)));
      return runVerb('scavenge', '--url', node.url);
    });
    assert.equal(first.code, 0, first.errors);
    assert.ok((JSON.parse(first.output) as Completion).eventsRemoved > 20);
    const second = await runVerb('scavenge', '--data', data);
    assert.equal(second.code, 0, second.errors);
    assert.equal((JSON.parse(second.output) as Completion).eventsRemoved, 0);
    await verified(data);
  });

  it('answers wrong flags with 2, and what is not there with 1 and one line', async () => {
    const nowhere = directory();
    for (const flags of [
      ['scavenge'],
      ['scavenge', '--data', nowhere, '--url', 'esdb://x'],
      ['verify'],
      ['verify', 'x'],
    ])
      assert.equal((await runVerb(...flags)).code, 2, flags.join(' '));
    for (const verb of ['scavenge', 'verify']) {
      const { code, errors } = await runVerb(verb, '--data', nowhere);
      assert.equal(code, 1);
      assert.equal(errors.trim(), `There is no log in ${nowhere}.`);
    }
  });

  it('verifies a log while it is served, and says what it saw', async () => {
    const data = directory();
    await withMaintained(data, async ({ client }) => {
      for (let index = 0; index < 30; index += 1)
        await append(client, { stream: `s-${index % 7}`, events: [proposed(), proposed()] });
      const { events, streams, scavenged } = await verified(data);
      assert.deepEqual({ events, streams, scavenged }, { events: 60, streams: 7, scavenged: { events: 0, bytes: 0 } });
    });
  });

  it('names the damage in one line and ends with 1', async () => {
    const data = directory();
    const mark = Buffer.from('this text will be damaged on disk');
    await withMaintained(data, async ({ client }) => {
      await append(client, { stream: 'a', events: [proposed(), proposed({ data: mark })] });
    });
    const bytes = readFileSync(fileOf(data));
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) bytes[at] = 'T'.charCodeAt(0);
    writeFileSync(fileOf(data), bytes);
    const { code, output, errors } = await runVerb('verify', '--data', data);
    assert.equal(code, 1);
    assert.match(errors, /^Damage in table log, position \d+: the record's checksum does not hold\.\n$/);
    assert.equal((JSON.parse(output) as { damage: string }).damage, errors.trim());
  });

  it('names a file that is none in one line as well', async () => {
    const data = directory();
    await withStored(data, (stored) => fill(stored));
    const bytes = readFileSync(fileOf(data));
    writeFileSync(fileOf(data), bytes.fill(0xff, 0, 8192));
    const { code, errors } = await runVerb('verify', '--data', data);
    assert.equal(code, 1);
    assert.match(errors, /^Damage in the database itself: .+\n$/);
  });
});
