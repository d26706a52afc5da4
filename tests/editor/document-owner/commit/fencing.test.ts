import assert from 'node:assert/strict';
import { isLeft, left } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import { openMemoryDocumentLeases } from '../../../../infra/adapters/redis/editor/memory-document-leases';
import { eventually } from '../../../support/waiting/eventually';
import { type LogFault, openFaultyLog } from '../faulty-log';
import { client, events, opened, type Stage, stage, statuses, stream, submit, writer } from '../fixture';
import { assertOneOwnerAtATime } from '../log-invariants';

describe('an owner after a takeover', () => {
  let now: Stage;
  afterEach(() => now.close());

  it('cannot append, and closes all sessions', async () => {
    now = stage();
    const zombie = await opened(now.owner());
    const ada = writer(client('ada'));
    await submit(zombie, [ada.create(1)]);
    const next = await opened(now.rival());
    const lost = ada.create(2);
    const refused = await zombie.submit({ clientId: ada.clientId, principalId: 'ada', schema: 2, operations: [lost] });
    assert.ok(isLeft(refused) && refused.left.kind === 'fault');
    assert.equal(zombie.ended.reason, 'fenced');
    assert.deepEqual(statuses(await submit(next, [lost])), ['applied']);
    assertOneOwnerAtATime(await events(now));
  });

  it('closes when another process has its lease', async () => {
    now = stage({ renewalMilliseconds: 5 });
    const document = await opened(now.owner());
    now.shared.set(stream, { holder: {}, address: 'other', until: Number.POSITIVE_INFINITY });
    await eventually(async () => assert.equal(document.ended.reason, 'lease-lost'));
  });

  it('acquires its lease again when the lease store lost all leases', async () => {
    now = stage({ renewalMilliseconds: 5 });
    const document = await opened(now.owner());
    now.shared.clear();
    await eventually(async () => assert.ok(now.shared.has(stream)));
    assert.equal(document.ended.aborted, false);
  });

  const nowhere = left(fault('owners-unavailable', 'Away.'));
  let renewals = 0;
  const noLeases = () => ({
    ...openMemoryDocumentLeases(new Map(), 'alone'),
    acquire: async () => nowhere,
    renew: async () => {
      renewals += 1;
      return nowhere;
    },
  });

  it('continues without leases as long as the log confirms its ownership', async () => {
    now = stage({ renewalMilliseconds: 5, leaseMilliseconds: 10 });
    const document = await opened(now.owner({ leases: noLeases() }));
    const ada = writer(client('ada'));
    assert.deepEqual(statuses(await submit(document, [ada.create(1)])), ['applied']);
    const unfollow = document.subscribe(() => undefined);
    const enough = renewals + 5;
    await eventually(async () => assert.ok(renewals >= enough));
    assert.equal(document.ended.aborted, false);
    await opened(now.rival());
    await eventually(async () => assert.equal(document.ended.reason, 'fenced'));
    unfollow();
  });

  it('closes documents that the log cannot confirm when its leases are late', async () => {
    now = stage({ renewalMilliseconds: 5, leaseMilliseconds: 10 });
    let mood: LogFault = 'works';
    const { store } = openFaultyLog(now.store, () => mood);
    const document = await opened(now.owner({ leases: noLeases(), store }));
    mood = 'unavailable';
    await eventually(async () => assert.equal(document.ended.reason, 'lease-lost'));
  });
});
