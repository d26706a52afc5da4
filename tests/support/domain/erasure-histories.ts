/** Random histories of notes, erasures and projector processes; what is cleared in place must equal a copy that is built afterwards. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { subjects } from '../../../domain/privacy/subject/events';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryKeyTable, memoryWrapping } from '../../../infra/adapters/vault/memory-vault';
import { openVault } from '../../../infra/adapters/vault/subject-keys';
import { unavailable } from '../../../infra/adapters/views/view-faults';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Vault } from '../../../infra/ports/vault';
import type { ViewDigest, ViewWriter } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import { replay } from '../../../projections/kernel/projector/replay';
import { openLogInErasureOrder } from '../../../projections/privacy/erase-in-log-order';
import { recordingLog } from '../waiting/recording-log';
import { expectRight } from './expect-right';
import { type NoteEvent, noteEvent, noteStream } from './notes-context';

/** Two of each, so that a process has keys in memory that another one erases. */
type Process = 0 | 1;

export type Step =
  | { readonly kind: 'write'; readonly by: Process; readonly tenant: string; readonly event: NoteEvent }
  /** `isCut`: the command process dies before it erases the keys. */
  | { readonly kind: 'forget'; readonly tenant: string; readonly subject: string; readonly isCut: boolean }
  /** `isLost`: the store takes the batch, and its answer is lost. */
  | { readonly kind: 'project'; readonly by: Process; readonly events: number; readonly isLost: boolean }
  | { readonly kind: 'restart'; readonly by: Process };

const tenants = ['acme', 'globex'] as const;
const people = ['ann', 'ben', 'cas'] as const;

const tenant = fc.constantFrom(...tenants);
const person = fc.constantFrom(...people);
const noteId = fc.constantFrom('n-1', 'n-2', 'n-3');
const process = fc.constantFrom<Process>(0, 1);

/** Each one is waited for. */
const seldom = fc.nat(9).map((number) => number === 0);

/** Texts differ, so that a row shows which event it is of. */
const secretText = fc.integer({ min: 0, max: 1_000_000 }).map((number) => `text-${number}`);

const noteEvents: fc.Arbitrary<NoteEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({ noteId, author: person, reader: person, title: secretText, hint: secretText, size: fc.nat(9) })
      .map((data): NoteEvent => ({ type: 'NoteWritten', data })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ noteId, author: person, title: secretText })
      .map((data): NoteEvent => ({ type: 'NoteTitled', data })),
  },
  fc.record({ noteId, reader: person, hint: secretText }).map((data): NoteEvent => ({ type: 'NoteLent', data })),
  fc
    .record({ noteId, author: person, title: secretText, copies: fc.nat(3) })
    .map((data): NoteEvent => ({ type: 'NoteCopied', data })),
  {
    weight: 2,
    arbitrary: fc
      .record({ noteId, stamp: fc.constantFrom('read', 'sent') })
      .map((data): NoteEvent => ({ type: 'NoteStamped', data })),
  },
  fc.record({ noteId }).map((data): NoteEvent => ({ type: 'NoteRemoved', data })),
);

export const histories: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .record({ by: process, tenant, event: noteEvents })
        .map((step): Step => ({ kind: 'write', ...step })),
    },
    {
      weight: 3,
      arbitrary: fc
        .record({ tenant, subject: person, isCut: fc.boolean() })
        .map((step): Step => ({ kind: 'forget', ...step })),
    },
    {
      weight: 4,
      arbitrary: fc
        .record({ by: process, events: fc.integer({ min: 1, max: 6 }), isLost: seldom })
        .map((step): Step => ({ kind: 'project', ...step })),
    },
    { weight: 1, arbitrary: process.map((by): Step => ({ kind: 'restart', by })) },
  ),
  { maxLength: 40, size: 'max' },
);

/** The first half of `POST /v1/privacy/forget`, and the keys that are to be erased. */
export const recordForgotten = async (
  log: EventStore,
  vault: Vault,
  { tenant: own, subject }: { readonly tenant: string; readonly subject: string },
): Promise<readonly string[]> => {
  const hash = vault.subjectOf(own, subject);
  const keys = expectRight(await vault.keysOf(hash));
  const event = subjects.encode({ type: 'SubjectForgotten', data: { subject: hash, keys, reason: 'asked-for' } });
  const { metadata } = noteEvent({ type: 'NoteRemoved', data: { noteId: '-' } }, own);
  expectRight(await log.append(`privacy.subject-${own}.${hash}`, 'any', [{ id: randomUUID(), ...event, metadata }]));
  return keys;
};

interface Projecting {
  readonly projection: Projection;
  readonly writer: ViewWriter;
}

const openWorld = ({ projection, writer }: Projecting) => {
  const log = openMemoryEventStore();
  const parts = { table: memoryKeyTable(), wrapping: memoryWrapping() };
  const opened: Vault[] = [];
  const openProcess = (): { readonly vault: Vault; readonly store: EventStore } => {
    const vault = openVault(parts);
    opened.push(vault);
    return { vault, store: openEncryptingStore(log, vault) };
  };
  const openProjector = (): EventStore => openLogInErasureOrder({ ...openProcess(), log: recordingLog() });
  const writers = [openProcess(), openProcess()] as const;
  const projectors: [EventStore, EventStore] = [openProjector(), openProjector()];

  const write = async ({ by, tenant: own, event }: Extract<Step, { kind: 'write' }>): Promise<void> => {
    expectRight(await writers[by].store.append(noteStream(event.data.noteId, own), 'any', [noteEvent(event, own)]));
  };
  const forget = async ({ tenant: own, subject, isCut }: Extract<Step, { kind: 'forget' }>): Promise<void> => {
    const { vault } = openProcess();
    const keys = await recordForgotten(log, vault, { tenant: own, subject });
    if (!isCut) expectRight(await vault.erase(keys));
  };
  const replayInto = async (
    store: EventStore,
    { generation, until, own = writer }: { generation: number; until: bigint; own?: ViewWriter },
    position: bigint | null,
  ): Promise<void> => {
    const replaying = {
      store,
      writer: own,
      projection,
      cursor: { generation, position },
      signal: new AbortController().signal,
      waiting: () => undefined,
      applied: () => undefined,
    };
    const { kind } = await replay(replaying, until);
    assert.ok(kind === 'written' || kind === 'moved', kind);
  };
  /** Its first write is done, and it does not learn so. */
  const losingAnswer = (): ViewWriter => {
    let isLost = false;
    return {
      ...writer,
      apply: async (...batch) => {
        const applied = await writer.apply(...batch);
        if (isLost || isLeft(applied)) return applied;
        isLost = true;
        return unavailable('The answer is lost.');
      },
    };
  };
  const project = async ({ by, events, isLost }: Omit<Extract<Step, { kind: 'project' }>, 'kind'>): Promise<void> => {
    const { number: generation, position } = expectRight(await writer.open(projection.view));
    let until = position;
    for await (const event of log.readAll({ after: position, limit: events })) until = event.position;
    if (until === null || until === position) return;
    const own = isLost ? losingAnswer() : writer;
    await replayInto(projectors[by], { generation, until, own }, position);
  };
  const projectAll = (): Promise<void> => project({ by: 0, events: Number.MAX_SAFE_INTEGER, isLost: false });
  const digests = async (): Promise<{ readonly live: ViewDigest; readonly rebuilt: ViewDigest }> => {
    const live = expectRight(await writer.open(projection.view));
    const fresh = expectRight(await writer.beginRebuild(projection.view));
    if (live.position !== null)
      await replayInto(openProjector(), { generation: fresh.number, until: live.position }, null);
    const found = {
      live: expectRight(await writer.digest(projection.view, live.number)),
      rebuilt: expectRight(await writer.digest(projection.view, fresh.number)),
    };
    expectRight(await writer.drop(projection.view, fresh.number));
    return found;
  };
  const run = async (step: Step): Promise<void> => {
    switch (step.kind) {
      case 'write':
        return write(step);
      case 'forget':
        return forget(step);
      case 'project':
        return project(step);
      case 'restart':
        projectors[step.by] = openProjector();
    }
  };
  const close = (): Promise<unknown> => Promise.all(opened.map((vault) => vault.close()));
  return { run, projectAll, digests, forget, close };
};

/** After the history, and again when everybody in it is forgotten. */
export const equalsRebuild = async (steps: readonly Step[], projecting: Projecting): Promise<void> => {
  const world = openWorld(projecting);
  try {
    for (const step of steps) await world.run(step);
    await world.projectAll();
    const after = await world.digests();
    assert.deepEqual(after.live, after.rebuilt);
    for (const own of tenants)
      for (const subject of people) await world.forget({ kind: 'forget', tenant: own, subject, isCut: true });
    await world.projectAll();
    const forgotten = await world.digests();
    assert.deepEqual(forgotten.live, forgotten.rebuilt, 'when everybody is forgotten');
  } finally {
    await world.close();
  }
};

export const freshName = (): string => `test_notes_${randomBytes(6).toString('hex')}`;
