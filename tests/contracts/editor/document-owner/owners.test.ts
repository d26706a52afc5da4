import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import type { Operation } from '../../../../domain/editor/operation';
import {
  operationLog as family,
  logStream,
  type OperationLogEvent,
} from '../../../../domain/editor/operation-log/events';
import { client, writer } from '../../../editor/document-owner/fixture';
import { assertOneOwnerAtATime, assertWhole } from '../../../editor/document-owner/log-invariants';
import { logOnNode } from '../../../support/servers/event-store-fixture';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { documentKeyOf, type OwnerAddresses } from './fixture';
import { type OwnerProcess, startOwnerProcess } from './owner-process';

describe('owners of documents in separate processes', () => {
  const log = logOnNode('editor-owner');
  const running: OwnerProcess[] = [];
  let redisUrl = '';
  before(async () => {
    redisUrl = (await valkeyForTests()).url;
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ kill }) => kill()));
  });

  const start = async (address: string): Promise<OwnerProcess> => {
    const wiring: OwnerAddresses = { storeUrl: log.node.url, redisUrl, address };
    const started = await startOwnerProcess(wiring);
    running.push(started);
    return started;
  };

  const eventsOf = async (document: string): Promise<readonly OperationLogEvent[]> => {
    const { tenant, documentId } = documentKeyOf(document);
    const read = await log.store.read(logStream(tenant, documentId));
    assert.ok(isRight(read));
    return read.right.map(({ type, data }) => {
      const event = family.decode(type, data);
      assert.ok(!isLeft(event), type);
      return event.right;
    });
  };

  const opened = async (owner: OwnerProcess, document: string): Promise<number> => {
    let epoch = 0;
    await eventually(async () => {
      const answered = await owner.request({ document });
      assert.ok(answered?.open);
      epoch = answered.epoch ?? 0;
    });
    return epoch;
  };

  const submission = (document: string, operations: readonly Operation[], name: string) => ({
    clientId: client(name, name, documentKeyOf(document)),
    principalId: name,
    schema: 2,
    operations: operations.map((one) => ({ ...one, documentId: documentKeyOf(document).documentId })),
  });

  it('have it one at a time, and know where it is', async () => {
    const [one, other] = await Promise.all([start('one:1'), start('other:2')]);
    for (let round = 0; round < 10; round += 1) {
      const document = randomUUID();
      const answers = await Promise.all([one.request({ document }), other.request({ document })]);
      const open = answers.filter((answered) => answered?.open);
      assert.equal(open.length, 1);
      const elsewhere = answers.find((answered) => answered?.open === false)?.elsewhere;
      assert.equal(elsewhere, answers[0]?.open === true ? 'one:1' : 'other:2');
    }
  });

  it('lose nothing that was acknowledged when they are killed in the middle of it', async () => {
    const document = randomUUID();
    const people = ['ada', 'bob', 'cem'].map((name) => ({
      name,
      writes: writer(client(name, name, documentKeyOf(document))),
      left: [] as Operation[],
    }));
    const acknowledged = new Set<string>();
    const write = async (owner: OwnerProcess, { name, left }: (typeof people)[number], from: number): Promise<void> => {
      const batch = left.slice(from, from + 5);
      if (batch.length === 0) return;
      const answered = await owner.request({ document, submission: submission(document, batch, name) });
      for (const id of answered?.settled ?? []) acknowledged.add(id);
    };
    let next = await start('owner:0');
    for (let round = 1; round <= 3; round += 1) {
      const [owner, follower] = [next, start(`owner:${round}`)];
      await opened(owner, document);
      for (const { writes, left } of people)
        for (let count = 0; count < 40; count += 1) left.push(writes.create(round * 100 + count));
      const sent = people.flatMap((one) =>
        Array.from({ length: Math.ceil(one.left.length / 5) }, (_, part) => write(owner, one, part * 5)),
      );
      await Promise.race(sent.slice(randomInt(sent.length)));
      await owner.kill();
      await Promise.all(sent);
      for (const one of people)
        one.left.splice(0, one.left.length, ...one.left.filter(({ opId }) => !acknowledged.has(opId)));
      next = await follower;
    }
    await opened(next, document);
    for (const one of people)
      while (one.left.length > 0) {
        await write(next, one, 0);
        one.left.splice(0, one.left.length, ...one.left.filter(({ opId }) => !acknowledged.has(opId)));
      }
    const events = await eventsOf(document);
    assertOneOwnerAtATime(events);
    const versions = assertWhole(events);
    assert.equal(acknowledged.size, 360);
    assert.deepEqual(new Set(versions.keys()), acknowledged);
  });

  it('append nothing any more when they were stopped for too long', async () => {
    const document = randomUUID();
    const [zombie, next] = await Promise.all([start('zombie:1'), start('next:2')]);
    const ada = writer(client('ada', 'ada', documentKeyOf(document)));
    assert.equal(await opened(zombie, document), 1);
    zombie.signal('SIGSTOP');
    const first = ada.create(1);
    const late = zombie.request({ document, submission: submission(document, [first], 'ada') });
    assert.equal(await opened(next, document), 2);
    zombie.signal('SIGCONT');
    const answered = await late;
    // It sees by its lease, or by the log, that it is over; nothing of it is there.
    if (answered?.open === true) assert.deepEqual(answered.settled, []);
    const done = await next.request({ document, submission: submission(document, [first], 'ada') });
    assert.deepEqual(done?.settled, [first.opId]);
    const events = await eventsOf(document);
    assertOneOwnerAtATime(events);
    assert.equal(assertWhole(events).size, 1);
  });
});
