/** What the files of a tenant take up: its rules, its sums under any order of commands, and its segments under concurrency. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { accountStorage } from '../../commands/files/storage/account-storage';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { accountStorageOnUploaded, storageQueue } from '../../domain/files/account-storage-on-uploaded/process';
import type { FileId, VersionId } from '../../domain/files/ids';
import { fileLimits } from '../../domain/files/limits';
import { type StorageCommand, storage } from '../../domain/files/storage/decider';
import { type StorageEvent, segmentEvents, storageStream } from '../../domain/files/storage/events';
import {
  type BegunSegment,
  emptySegment,
  limitsOf,
  reservedBytes,
  type StorageState,
} from '../../domain/files/storage/state';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import type { TenantId } from '../../domain/kernel/ids';
import { enqueueJob } from '../../domain/kernel/process';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import { currentSegment, readStorage, storageRules } from '../../infra/server/files/storage-usage';
import { given } from '../kernel/domain/given-when-then';
import { givenProcess } from '../kernel/processes/given-process';
import { expectRight } from '../support/domain/expect-right';

const tenant = 'acme' as TenantId;
const at = '2026-01-31T12:00:00.000Z' as Instant;
const fileOf = (number: number) => `file-${number}` as FileId;
const versionOf = (number: number) => `version-${number}` as VersionId;

const reserve = (number: number, bytes: number, isNewFile = true) =>
  ({
    type: 'ReserveStorage',
    ...{ fileId: fileOf(number), versionId: versionOf(number), bytes, expiresAt: at, isNewFile },
  }) as const;
const settle = (number: number) =>
  ({ type: 'SettleStorage', fileId: fileOf(number), versionId: versionOf(number) }) as const;
const expire = (number: number) =>
  ({ type: 'ReleaseReservation', fileId: fileOf(number), versionId: versionOf(number) }) as const;
const release = (number: number, bytes: number) =>
  ({ type: 'ReleaseFile', fileId: fileOf(number), uploaded: [{ versionId: versionOf(number), bytes }] }) as const;

const first = { segment: 1, usedBytes: 0, files: 0, reservations: [], released: [], limits: null, reconciledAt: null };
const begun: StorageEvent = { type: 'StorageSegmentBegun', data: first };
const limited: StorageEvent = {
  type: 'StorageSegmentBegun',
  data: { ...first, limits: { bytes: 100, files: 2 } },
};
const reserved = (number: number, bytes: number): StorageEvent => {
  const { type: _, ...data } = reserve(number, bytes);
  return { type: 'StorageReserved', data };
};
const ended = (type: 'StorageSettled' | 'ReservationReleased', number: number, bytes: number): StorageEvent => ({
  type,
  data: { fileId: fileOf(number), versionId: versionOf(number), bytes },
});

describe('the storage of a tenant', () => {
  it('is reserved once for an upload session', () => {
    given(storage, begun).when(reserve(1, 60)).then(reserved(1, 60));
    given(storage, begun, reserved(1, 60)).when(reserve(1, 60)).thenNothing();
  });

  it('does not take more than its limit, with what is reserved', () => {
    given(storage, limited, reserved(1, 60)).when(reserve(2, 41)).rejects('storage-quota-exceeded');
    given(storage, limited, reserved(1, 60)).when(reserve(2, 40)).then(reserved(2, 40));
    given(storage, limited, reserved(1, 1), reserved(2, 1)).when(reserve(3, 1)).rejects('storage-quota-exceeded');
  });

  it('says how much is used, reserved and left', () => {
    const state = fold(storage, storage.initial, [
      limited,
      reserved(1, 30),
      ended('StorageSettled', 1, 30),
      reserved(2, 20),
    ]);
    const decision = storage.decide(reserve(3, 51, false), state);
    assert.ok(isLeft(decision));
    assert.equal(
      decision.left.detail,
      "sizeBytes: of the tenant's 100 bytes, 30 are used and 20 reserved by open uploads; 50 are left.",
    );
  });

  it('is settled or released once, by the end of the session', () => {
    given(storage, begun, reserved(1, 60))
      .when(settle(1))
      .then(ended('StorageSettled', 1, 60));
    given(storage, begun, reserved(1, 60))
      .when(expire(1))
      .then(ended('ReservationReleased', 1, 60));
    given(storage, begun, reserved(1, 60), ended('StorageSettled', 1, 60))
      .when(settle(1))
      .thenNothing();
    given(storage, begun).when(settle(1)).thenNothing();
  });

  it('is free again once the file is deleted, whether its upload was settled before or not', () => {
    const data = { fileId: fileOf(1), bytes: 60, endedReservations: [] };
    const settled = [begun, reserved(1, 60), ended('StorageSettled', 1, 60)];
    given(storage, ...settled)
      .when(release(1, 60))
      .then({ type: 'FileStorageReleased', data });
    given(storage, ...settled, { type: 'FileStorageReleased', data })
      .when(release(1, 60))
      .thenNothing();
    given(storage, begun, reserved(1, 60))
      .when(release(1, 60))
      .then({
        type: 'FileStorageReleased',
        data: { fileId: fileOf(1), bytes: 0, endedReservations: [versionOf(1)] },
      });
  });

  it('is corrected only where nothing happened since it was counted', () => {
    const correct = (events: number) =>
      ({
        type: 'CorrectStorage',
        ...{ expected: { segment: 1, events }, usedBytes: 5, files: 1 },
        droppedReservations: [versionOf(1), versionOf(9)],
      }) as const;
    given(storage, begun, reserved(1, 60)).when(correct(1)).thenNothing();
    given(storage, begun, reserved(1, 60))
      .when(correct(2))
      .then({ type: 'StorageCorrected', data: { usedBytes: 5, files: 1, droppedReservations: [versionOf(1)] } });
  });

  it('has no more open uploads than a segment can carry', () => {
    const open = Array.from({ length: fileLimits.openUploads }, (_, number) => ({
      ...{ fileId: fileOf(number), versionId: versionOf(number), bytes: 1, expiresAt: at },
    }));
    given(storage, { type: 'StorageSegmentBegun', data: { ...first, reservations: open } })
      .when(reserve(fileLimits.openUploads, 1))
      .rejects('too-many-uploads');
  });

  it('is accounted by a job when an upload is completed or expires', () => {
    const job = { fileId: fileOf(1), versionId: versionOf(1) };
    givenProcess(accountStorageOnUploaded)
      .when({ type: 'VersionExpired', data: job })
      .answers(enqueueJob(storageQueue, job, { mostAttempts: 100 }));
  });
});

/** A second, naive way to account: each session has an end, each file is there or not. */
interface NaiveSession {
  readonly bytes: number;
  end: 'open' | 'settled' | 'expired';
  isDeleted: boolean;
}

const limit = 1_000;
const operations = fc.array(
  fc.record({
    kind: fc.constantFrom('reserve', 'reserve', 'settle', 'expire', 'delete', 'next'),
    number: fc.nat(11),
    bytes: fc.integer({ min: 1, max: 400 }),
  }),
  { maxLength: 80 },
);

const begunOf = (state: StorageState): BegunSegment => {
  assert.ok(state.kind === 'begun');
  return state;
};

/** A command that is refused changes nothing. */
const send = (state: StorageState, command: StorageCommand): { readonly state: StorageState; readonly ok: boolean } => {
  const decided = storage.decide(command, state);
  return isRight(decided) ? { state: fold(storage, state, decided.right), ok: true } : { state, ok: false };
};

describe('the sums of a tenant’s storage', () => {
  it('are those of its sessions and files, in every order and repetition, in one segment or many', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        const sessions = new Map<number, NaiveSession>();
        let state = send(storage.initial, {
          type: 'BeginSegment',
          before: { ...emptySegment, limits: { bytes: limit, files: 8 } },
        }).state;
        for (const { kind, number, bytes } of steps) {
          const session = sessions.get(number);
          // As the services do: a session is opened once, ends once and is uploaded or not; its file is deleted after that.
          if (kind === 'next') {
            state = send(storage.initial, { type: 'BeginSegment', before: begunOf(state) }).state;
          } else if (kind === 'reserve') {
            if (session !== undefined) continue;
            const sent = send(state, reserve(number, bytes));
            if (sent.ok) sessions.set(number, { bytes, end: 'open', isDeleted: false });
            state = sent.state;
          } else if (session === undefined) {
            continue;
          } else if (kind === 'settle' && session.end !== 'expired') {
            state = send(state, settle(number)).state;
            if (!session.isDeleted) session.end = 'settled';
          } else if (kind === 'expire' && session.end !== 'settled') {
            state = send(state, expire(number)).state;
            if (!session.isDeleted) session.end = 'expired';
          } else if (kind === 'delete' && !session.isDeleted) {
            const uploaded = session.end === 'expired' ? [] : [{ versionId: versionOf(number), bytes: session.bytes }];
            state = send(state, { type: 'ReleaseFile', fileId: fileOf(number), uploaded }).state;
            session.isDeleted = true;
          }
          const alive = [...sessions.values()].filter(({ isDeleted }) => !isDeleted);
          const sumOf = (end: NaiveSession['end']) =>
            alive.filter((one) => one.end === end).reduce((sum, one) => sum + one.bytes, 0);
          const sums = begunOf(state);
          assert.deepEqual(
            { used: sums.usedBytes, reserved: reservedBytes(sums), files: sums.files },
            { used: sumOf('settled'), reserved: sumOf('open'), files: alive.length },
          );
          assert.ok(sums.usedBytes + reservedBytes(sums) <= limit && sums.files <= 8);
          assert.deepEqual(limitsOf(sums), { bytes: limit, files: 8 });
        }
      }),
    );
  });
});

describe('the segments of a tenant’s storage', function () {
  this.timeout(60_000);
  const open = () => {
    const store = openMemoryEventStore();
    const deps = { store, clock: { now: () => at }, commandMetrics: noCommandMetrics };
    const account = (command: StorageCommand, commandId: string) =>
      accountStorage(deps, tenant, { command, commandId, correlationId: 'c', actor: 'ada' });
    const read = async () => expectRight(await readStorage({ store, cache: undefined }, storageRules, tenant));
    return { store, account, read };
  };

  it('take 50 sessions at once, without a cache, as from 50 copies of the service', async () => {
    const { account, read } = open();
    const all = Array.from({ length: 50 }, (_, number) => account(reserve(number, 10), `c-${number}`));
    for (const one of await Promise.all(all)) expectRight(one);
    const { files, ...state } = await read();
    assert.deepEqual([files, reservedBytes({ files, ...state })], [50, 500]);
  });

  it('let in exactly as many of 50 as fit the limit', async () => {
    const { account, read } = open();
    expectRight(await account({ type: 'SetStorageLimits', limits: { bytes: 205, files: 100 } }, 'limits'));
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, number) => account(reserve(number, 10), `c-${number}`)),
    );
    const refused = all.flatMap((one) => (isLeft(one) ? [one.left.code] : []));
    assert.deepEqual([refused.length, new Set(refused)], [30, new Set(['storage-quota-exceeded'])]);
    assert.equal(reservedBytes(await read()), 200);
  });

  it('follow each other when they are full, with what is open and what was used', async () => {
    const { store, account, read } = open();
    expectRight(await account({ type: 'SetStorageLimits', limits: { bytes: 1_000_000, files: 5_000 } }, 'limits'));
    expectRight(await account(reserve(0, 7), 'open'));
    for (let number = 1; number <= 1_300; number += 1) {
      expectRight(await account(reserve(number, 10), `r-${number}`));
      expectRight(await account(settle(number), `s-${number}`));
    }
    assert.equal(expectRight(await currentSegment(store, tenant)), 3);
    for (const segment of [1, 2])
      assert.equal(expectRight(await store.read(storageStream(tenant, segment))).length, segmentEvents);
    const state = await read();
    assert.deepEqual([state.usedBytes, reservedBytes(state), state.files], [13_000, 7, 1_301]);
    assert.deepEqual(limitsOf(state), { bytes: 1_000_000, files: 5_000 });
  });
});
