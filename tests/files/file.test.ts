/** Rules of a file and its versions. */
import * as fc from 'fast-check';
import { type FileCommand, file } from '../../domain/files/file/decider';
import type { FileEvent } from '../../domain/files/file/events';
import type { FileId, VersionId } from '../../domain/files/ids';
import { fileLimits } from '../../domain/files/limits';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId } from '../../domain/kernel/ids';
import { given } from '../kernel/domain/given-when-then';
import { twiceIsOnce } from '../support/domain/arbitrary';

const fileId = 'file-1' as FileId;
const ada = 'ada' as PrincipalId;
const [first, second, third] = ['version-1', 'version-2', 'version-3'] as VersionId[] as [
  VersionId,
  VersionId,
  VersionId,
];
const [noon, evening, night] = [12, 18, 23].map((hour) => `2026-01-31T${hour}:00:00.000Z`) as Instant[] as [
  Instant,
  Instant,
  Instant,
];
const [checksumSha256, otherChecksum] = ['a'.repeat(64), 'b'.repeat(64)] as const;
const mimeType = 'application/pdf';

const newVersion = (versionId: VersionId) => ({
  ...{ versionId, sizeBytes: 52_000, mimeType, openedBy: ada, expiresAt: evening, isInParts: false },
});
const create: FileCommand = {
  ...{ type: 'CreateFile', fileId, name: 'Lease.pdf', folderId: null, version: newVersion(first) },
};
const open = (versionId: VersionId): FileCommand => ({ type: 'OpenVersion', fileId, version: newVersion(versionId) });
const complete = (versionId: VersionId, { checksum = checksumSha256, at = noon as Instant } = {}): FileCommand => ({
  ...{ type: 'CompleteVersion', fileId, versionId, checksumSha256: checksum, etag: '"1"', completedBy: ada, at },
});
const expire = (versionId: VersionId, at: Instant): FileCommand => ({ type: 'ExpireVersion', fileId, versionId, at });
const activate = (versionId: VersionId, { pipelineVersion = 1, isComplete = true } = {}): FileCommand => ({
  ...{ type: 'ActivateVersion', fileId, versionId, pipelineVersion, isComplete },
});
const rename = (name: string): FileCommand => ({ type: 'RenameFile', fileId, name });

const created: FileEvent = {
  type: 'FileCreated',
  data: { fileId, name: 'Lease.pdf', mimeType, folderId: null, ownerId: ada },
};
const opened = (versionId: VersionId, versionNumber: number): FileEvent => ({
  type: 'VersionOpened',
  data: { fileId, versionNumber, ...newVersion(versionId) },
});
const uploaded = (versionId: VersionId): FileEvent => ({
  type: 'VersionUploaded',
  data: { fileId, versionId, sizeBytes: 52_000, mimeType, checksumSha256, etag: '"1"', completedBy: ada },
});
const numberOf = (versionId: VersionId): number => Number(versionId.split('-')[1]);
const expired = (versionId: VersionId): FileEvent => ({ type: 'VersionExpired', data: { fileId, versionId } });
const activated = (
  versionId: VersionId,
  replaced: VersionId | null = null,
  { pipelineVersion = 1, before = 1, isComplete = true } = {},
): FileEvent => ({
  type: 'VersionActivated',
  data: {
    ...{ fileId, versionId, pipelineVersion, versionNumber: numberOf(versionId), sizeBytes: 52_000, mimeType },
    isComplete,
    replaced: replaced === null ? null : { versionId: replaced, pipelineVersion: before },
  },
});

const superseded = (versionId: VersionId): FileEvent => ({
  type: 'VersionSuperseded',
  data: { fileId, versionId, pipelineVersion: 1 },
});

const withFile = (...events: readonly FileEvent[]) => given(file, created, opened(first, 1), ...events);

describe('a file', () => {
  it('is created with its first version, once', () => {
    given(file).when(create).then(created, opened(first, 1));
    withFile().when(create).thenNothing();
  });

  it('is there before anything else happens to it', () => {
    for (const command of [rename('x'), open(first), complete(first), expire(first, night), activate(first)])
      given(file).when(command).rejects('file-unknown');
  });

  it('is renamed', () => {
    withFile()
      .when(rename('Old lease.pdf'))
      .then({ type: 'FileRenamed', data: { fileId, name: 'Old lease.pdf' } });
    withFile().when(rename('Lease.pdf')).thenNothing();
  });

  it('has versions in order, and no more than it may', () => {
    withFile().when(open(second)).then(opened(second, 2));
    withFile(opened(second, 2)).when(open(second)).thenNothing();
    const many = Array.from({ length: fileLimits.versions - 1 }, (_, at) => opened(`v${at}` as VersionId, at + 2));
    withFile(...many)
      .when(open(second))
      .rejects('too-many-versions');
  });

  it('is changed once by a command that is repeated', () =>
    twiceIsOnce(
      file,
      fc.oneof(
        fc.constantFrom(create, rename('a'), rename('b')),
        fc.constantFrom(first, second, third).chain((versionId) =>
          fc.oneof(
            fc.constantFrom(open(versionId), complete(versionId), complete(versionId, { checksum: otherChecksum })),
            fc.constantFrom(noon, night).map((at) => expire(versionId, at)),
            fc
              .record({ pipelineVersion: fc.integer({ min: 1, max: 2 }), isComplete: fc.boolean() })
              .map((changes) => activate(versionId, changes)),
          ),
        ),
      ),
    ));
});

describe('a version', () => {
  it('is completed with one checksum, while its session is open', () => {
    withFile().when(complete(first)).then(uploaded(first));
    withFile(uploaded(first)).when(complete(first)).thenNothing();
    withFile(uploaded(first))
      .when(complete(first, { at: night }))
      .thenNothing();
    withFile(uploaded(first))
      .when(complete(first, { checksum: otherChecksum }))
      .rejects('version-completed');
    withFile()
      .when(complete(first, { at: evening }))
      .rejects('version-expired');
    withFile(expired(first)).when(complete(first)).rejects('version-expired');
    withFile().when(complete(second)).rejects('version-unknown');
  });

  it('expires when its time has come, unless it is uploaded', () => {
    withFile().when(expire(first, night)).then(expired(first));
    withFile().when(expire(first, noon)).thenNothing();
    withFile(expired(first)).when(expire(first, night)).thenNothing();
    withFile(uploaded(first)).when(expire(first, night)).thenNothing();
    withFile().when(expire(second, night)).thenNothing();
  });

  it('answers once it is indexed: the first in part, later ones when they are complete', () => {
    const both = [opened(second, 2), uploaded(first), uploaded(second)] as const;
    withFile(...both)
      .when(activate(first, { isComplete: false }))
      .then(activated(first, null, { isComplete: false }));
    withFile(...both, activated(first))
      .when(activate(first))
      .thenNothing();
    withFile(...both, activated(first))
      .when(activate(second, { isComplete: false }))
      .thenNothing();
    withFile(...both, activated(first))
      .when(activate(second))
      .then(activated(second, first));
    withFile(...both)
      .when(activate(third))
      .rejects('version-unknown');
  });

  it('answers as a newer pipeline has processed it', () => {
    const newer = activated(first, first, { pipelineVersion: 2 });
    withFile(uploaded(first), activated(first))
      .when(activate(first, { pipelineVersion: 2 }))
      .then(newer);
    withFile(uploaded(first), activated(first), newer).when(activate(first)).then(superseded(first));
    withFile(uploaded(first), activated(first), newer)
      .when(activate(first, { pipelineVersion: 2 }))
      .thenNothing();
  });

  it('that is indexed after a newer one answered is superseded, complete or not', () => {
    const both = [opened(second, 2), uploaded(first), uploaded(second), activated(second)] as const;
    for (const isComplete of [true, false])
      withFile(...both)
        .when(activate(first, { isComplete }))
        .then(superseded(first));
    withFile(...both, superseded(first))
      .when(activate(first))
      .thenNothing();
  });
});
