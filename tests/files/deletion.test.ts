/** Rules of the deletion of a file: its steps, what begins it, what holds it off, and what its views show. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { chunkRows } from '../../commands/files/deletion/count-indexed';
import { fileAccessRules } from '../../domain/files/access/decider';
import type { FileAccessEvent } from '../../domain/files/access/events';
import { type DeletionCommand, deletion } from '../../domain/files/deletion/decider';
import { type DeletionEvent, type DeletionStep, deletionSteps } from '../../domain/files/deletion/events';
import { expireVersionOnOpened, expiryQueue } from '../../domain/files/expire-version-on-opened/process';
import type { FileEvent } from '../../domain/files/file/events';
import type { FileId, VersionId } from '../../domain/files/ids';
import { fileLimits } from '../../domain/files/limits';
import { deletionQueue, performDeletionOnHidden } from '../../domain/files/perform-deletion-on-hidden/process';
import { purgeFileOnTrashed } from '../../domain/files/purge-file-on-trashed/process';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId } from '../../domain/kernel/ids';
import { cancel, enqueueJob, schedule, send } from '../../domain/kernel/process';
import { chunksView } from '../../projections/files/chunks/view';
import { given } from '../kernel/domain/given-when-then';
import { givenProcess } from '../kernel/processes/given-process';

const fileId = 'file-1' as FileId;
const versionId = 'version-1' as VersionId;
const [ada, eve] = ['ada', 'eve'] as PrincipalId[] as [PrincipalId, PrincipalId];
const at = '2026-01-31T12:00:00.000Z' as Instant;

const begin = { type: 'BeginDeletion', fileId, ownerId: ada, cause: 'person', at } as const;
const begun: DeletionEvent = { type: 'DeletionBegun', data: { fileId, ownerId: ada, cause: 'person', begunAt: at } };
const complete = (step: DeletionStep, left = 0) =>
  ({ type: 'CompleteDeletionStep', fileId, step, removed: 2, left, at }) as const;
const completed = (step: DeletionStep): DeletionEvent => ({
  type: 'DeletionStepCompleted',
  data: { fileId, step, removed: 2, left: 0 },
});
const delay = (step: DeletionStep, attempt: number, reason = 'The index is away.') =>
  ({ type: 'DelayDeletionStep', fileId, step, reason, attempt }) as const;
const delayed = (step: DeletionStep, attempt: number): DeletionEvent => ({
  type: 'DeletionStepDelayed',
  data: { fileId, step, reason: 'The index is away.', attempt },
});
const deleted: DeletionEvent = { type: 'FileDeleted', data: { fileId, deletedAt: at } };

describe('the deletion of a file', () => {
  it('begins once', () => {
    given(deletion).when(begin).then(begun);
    given(deletion, begun).when(begin).thenNothing();
    given(deletion).when(complete('processing')).rejects('deletion-not-begun');
  });

  it('completes its steps in order, and only with nothing left', () => {
    given(deletion, begun).when(complete('processing')).then(completed('processing'));
    given(deletion, begun).when(complete('index')).thenNothing();
    given(deletion, begun, completed('processing')).when(complete('processing')).thenNothing();
    given(deletion, begun, completed('processing')).when(complete('index', 1)).rejects('deletion-leaves-remains');
  });

  it('ends with the last step', () => {
    const before = deletionSteps.slice(0, -1).map(completed);
    given(deletion, begun, ...before)
      .when(complete('proof'))
      .then(completed('proof'), deleted);
    given(deletion, begun, ...before, completed('proof'), deleted)
      .when(complete('proof'))
      .thenNothing();
  });

  it('records why a step is delayed: what is new, and else with ever longer pauses', () => {
    given(deletion, begun).when(delay('processing', 1)).then(delayed('processing', 1));
    given(deletion, begun, delayed('processing', 2)).when(delay('processing', 3)).thenNothing();
    given(deletion, begun, delayed('processing', 2)).when(delay('processing', 4)).then(delayed('processing', 4));
    given(deletion, begun).when(delay('index', 1)).thenNothing();
  });

  it('records what came after it', () => {
    const record = (removed: number) => ({ type: 'RecordRemains', fileId, removed }) as const;
    given(deletion, begun, deleted)
      .when(record(1))
      .then({ type: 'RemainsRemoved', data: { fileId, removed: 1 } });
    given(deletion, begun, deleted).when(record(0)).thenNothing();
  });

  it('ends deleted exactly once, with no step skipped, in whatever order results come', () => {
    const results: fc.Arbitrary<DeletionCommand> = fc.oneof(
      fc.constant<DeletionCommand>(begin),
      {
        weight: 6,
        arbitrary: fc.tuple(fc.constantFrom(...deletionSteps), fc.nat(1)).map(([step, left]) => complete(step, left)),
      },
      fc
        .tuple(fc.constantFrom(...deletionSteps), fc.integer({ min: 1, max: 9 }))
        .map(([step, attempt]) => delay(step, attempt)),
    );
    fc.assert(
      fc.property(fc.array(results, { maxLength: 60 }), (commands) => {
        const events: DeletionEvent[] = [];
        const perform = (command: DeletionCommand): void => {
          const decided = deletion.decide(command, events.reduce(deletion.evolve, deletion.initial));
          if (isRight(decided)) events.push(...decided.right);
        };
        const stepsOf = () => events.flatMap(({ type, data }) => (type === 'DeletionStepCompleted' ? [data.step] : []));
        for (const command of commands) {
          perform(command);
          assert.deepEqual(stepsOf(), deletionSteps.slice(0, stepsOf().length));
          const isWhole = stepsOf().length === deletionSteps.length;
          assert.equal(events.filter(({ type }) => type === 'FileDeleted').length, isWhole ? 1 : 0);
        }
        for (const command of [begin, ...deletionSteps.map((step) => complete(step))]) perform(command);
        assert.deepEqual(stepsOf(), deletionSteps);
        assert.equal(events.at(-1)?.type, 'FileDeleted');
      }),
    );
  });

  it('counts in the index that chunks are written to', () =>
    assert.deepEqual(chunkRows, { name: chunksView.name, store: chunksView.store }));
});

const hidden = (reason: 'trashed' | 'deleted'): FileAccessEvent => ({ type: 'FileHidden', data: { fileId, reason } });
const revealed: FileAccessEvent = { type: 'FileRevealed', data: { fileId, reason: 'trashed' } };
const held: FileAccessEvent = { type: 'FileHeld', data: { fileId, reason: 'Case 7', heldBy: eve } };
const released: FileAccessEvent = { type: 'FileReleased', data: { fileId, releasedBy: eve } };
const purged: FileAccessEvent = { type: 'FilePurged', data: { fileId, cause: 'retention' } };
const file = { fileId, ownerId: ada, folderId: null };

describe('a legal hold', () => {
  const hold = { type: 'HoldFile', by: eve, fileId, reason: 'Case 7' } as const;
  const dispose = (type: 'TrashFile' | 'RestoreFile' | 'DeleteFile', by = ada) => ({ type, by, file }) as const;

  it('is recorded, changed and lifted once', () => {
    given(fileAccessRules).when(hold).then(held);
    given(fileAccessRules, held).when(hold).thenNothing();
    given(fileAccessRules, held)
      .when({ ...hold, reason: 'Case 8' })
      .then({ type: 'FileHeld', data: { fileId, reason: 'Case 8', heldBy: eve } });
    given(fileAccessRules, held).when({ type: 'ReleaseFile', by: eve, fileId }).then(released);
    given(fileAccessRules).when({ type: 'ReleaseFile', by: eve, fileId }).thenNothing();
  });

  it('holds off deletion, whoever deletes, and not the trash', () => {
    given(fileAccessRules, held).when(dispose('DeleteFile')).rejects('file-held');
    given(fileAccessRules, held).when(dispose('DeleteFile', eve)).rejects('file-unknown');
    given(fileAccessRules, held).when(dispose('TrashFile')).then(hidden('trashed'));
    given(fileAccessRules, held, hidden('trashed')).when(dispose('RestoreFile')).then(revealed);
    given(fileAccessRules, held, released).when(dispose('DeleteFile')).then(hidden('deleted'));
  });

  it('comes too late once the deletion has begun', () => {
    given(fileAccessRules, hidden('deleted')).when(hold).rejects('file-deleting');
    given(fileAccessRules, hidden('trashed'), purged).when(hold).rejects('file-deleting');
  });
});

describe('a file in the trash', () => {
  const purge = { type: 'PurgeFile', fileId, cause: 'retention' } as const;
  const due = '2026-03-02T12:00:00.000Z' as Instant;

  it('is deleted for ever after thirty days', () => {
    assert.equal(fileLimits.trashDays, 30);
    for (const event of [hidden('trashed'), released])
      givenProcess(purgeFileOnTrashed)
        .when(event, { at })
        .answers(schedule('retention', due, send('files.access', 'workspace', purge)));
    given(fileAccessRules, hidden('trashed')).when(purge).then(purged);
    given(fileAccessRules, hidden('trashed'), purged).when(purge).thenNothing();
  });

  it('stays where it was restored or is held', () => {
    givenProcess(purgeFileOnTrashed).when(revealed).answers(cancel('retention'));
    given(fileAccessRules, hidden('trashed'), revealed).when(purge).thenNothing();
    given(fileAccessRules, hidden('trashed'), held).when(purge).thenNothing();
    for (const event of [hidden('deleted'), held, purged]) givenProcess(purgeFileOnTrashed).ignores(event);
  });
});

describe('what follows from the deletion of a file', () => {
  it('is its removal, and another look when no address is valid any more', () => {
    const job = (cause: 'person' | 'retention', more = {}) =>
      enqueueJob(deletionQueue, { fileId, cause }, { mostAttempts: 100, ...more });
    givenProcess(performDeletionOnHidden).when(hidden('deleted')).answers(job('person'));
    givenProcess(performDeletionOnHidden).when(purged).answers(job('retention'));
    givenProcess(performDeletionOnHidden)
      .when(deleted)
      .answers(job('person', { jobKind: 'remains', delaySeconds: fileLimits.uploadAddressSeconds }));
    for (const event of [hidden('trashed'), revealed, held, begun, completed('key')])
      givenProcess(performDeletionOnHidden).ignores(event);
  });
});

describe('an upload session', () => {
  const opened: FileEvent = {
    type: 'VersionOpened',
    data: {
      ...{ fileId, versionId, versionNumber: 1, sizeBytes: 9, mimeType: 'text/plain', openedBy: ada },
      ...{ expiresAt: at, isInParts: false },
    },
  };
  const uploaded: FileEvent = {
    type: 'VersionUploaded',
    data: {
      ...{ fileId, versionId, sizeBytes: 9, mimeType: 'text/plain', checksumSha256: 'a'.repeat(64), etag: '"1"' },
      completedBy: ada,
    },
  };

  it('expires when it is not completed in time', () => {
    const expire = { type: 'ExpireVersion', fileId, versionId, at } as const;
    givenProcess(expireVersionOnOpened)
      .when(opened)
      .answers(schedule(versionId, at, send('files.file', fileId, expire)));
    givenProcess(expireVersionOnOpened).when(uploaded).answers(cancel(versionId));
    givenProcess(expireVersionOnOpened).ignores({ type: 'FileRenamed', data: { fileId, name: 'a' } });
  });

  it('leaves no bytes, and no file that never had any', () => {
    const upload = { fileId, versionId, what: 'upload' } as const;
    givenProcess(expireVersionOnOpened)
      .when({ type: 'VersionExpired', data: { fileId, versionId } })
      .answers(
        enqueueJob(expiryQueue, upload, { jobKind: 'upload' }),
        enqueueJob(expiryQueue, upload, { jobKind: 'upload', delaySeconds: fileLimits.uploadAddressSeconds }),
        enqueueJob(expiryQueue, { ...upload, what: 'file' }, { jobKind: 'file', delaySeconds: 7 * 86_400 }),
      );
  });
});
