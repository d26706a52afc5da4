import { type FileAccessEvent, fileAccess, type HiddenReason } from '../../../domain/files/access/events';
import { labelsOfFile } from '../../../domain/files/access/labels';
import { deletions } from '../../../domain/files/deletion/events';
import { type FileEvent, files } from '../../../domain/files/file/events';
import type { FileId } from '../../../domain/files/ids';
import type { Instant } from '../../../domain/kernel/codec';
import {
  type ProjectionSource,
  patchRow,
  patchRowsWhere,
  projection,
  putRow,
  streamsOf,
} from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import type { Change } from '../../kernel/view';
import { processingSource, unprocessed } from '../processing';
import { type FileRow, filesView } from './view';

/** Every event of the file raises the row's revision. */
const touchFile = ({ data, at, event }: RecordedEvent<FileEvent>, fields: Partial<FileRow> = {}) =>
  patchRow<FileRow>(
    { tenantId: at.tenantId, fileId: data.fileId },
    { ...fields, updatedAt: event.occurredAt, revision: at.revision },
  );

const patchFilesWhere = ({ data, at }: RecordedEvent<FileEvent>, where: Partial<FileRow>, fields: Partial<FileRow>) =>
  patchRowsWhere<FileRow>({ tenantId: at.tenantId, fileId: data.fileId, isDeleted: false, ...where }, fields);

const fileSource: ProjectionSource<Change<FileRow>> = streamsOf(files, {
  FileCreated: ({ data: { fileId, mimeType, folderId, ownerId }, at, event: { occurredAt } }) =>
    putRow<FileRow>({
      fileId,
      ownerId,
      folderId,
      aclPrincipals: labelsOfFile({ fileId, folderId, ownerId }),
      status: 'UPLOADING',
      currentVersionId: null,
      hasCurrent: false,
      statusVersionId: null,
      versionNumber: null,
      sizeBytes: null,
      mimeType,
      ...unprocessed,
      createdAt: occurredAt,
      updatedAt: occurredAt,
      trashedAt: null,
      quarantinedAt: null,
      deletedAt: null,
      isDeleted: false,
      ...at,
    }),
  FileRenamed: (recorded) => touchFile(recorded),
  VersionOpened: (recorded) => {
    const { versionId, versionNumber, sizeBytes, mimeType } = recorded.data;
    const opened = { statusVersionId: versionId, versionNumber, sizeBytes, mimeType, status: 'UPLOADING' } as const;
    return [...touchFile(recorded), ...patchFilesWhere(recorded, { hasCurrent: false }, { ...unprocessed, ...opened })];
  },
  VersionUploaded: (recorded) => [
    ...touchFile(recorded),
    ...patchFilesWhere(
      recorded,
      { statusVersionId: recorded.data.versionId, status: 'UPLOADING' },
      { status: 'UPLOADED' },
    ),
  ],
  VersionExpired: (recorded) => [
    ...touchFile(recorded),
    ...patchFilesWhere(
      recorded,
      { statusVersionId: recorded.data.versionId, status: 'UPLOADING' },
      { status: 'FAILED', errorDetail: 'The upload was not completed in time; upload the file again.' },
    ),
  ],
  VersionSuperseded: (recorded) => touchFile(recorded),
  VersionActivated: (recorded) => {
    const { versionId, versionNumber, sizeBytes, mimeType, pipelineVersion, isComplete } = recorded.data;
    const version = { statusVersionId: versionId, versionNumber, sizeBytes, mimeType, pipelineVersion };
    const status = isComplete ? 'READY' : 'PARTIALLY_READY';
    return [
      ...touchFile(recorded, { currentVersionId: versionId, hasCurrent: true }),
      ...patchFilesWhere(recorded, {}, { ...version, status }),
      ...(isComplete
        ? patchFilesWhere(recorded, {}, { progressPercent: 100, errorCode: null, errorDetail: null })
        : []),
    ];
  },
});

const placeFile = (
  { at, event }: RecordedEvent<FileAccessEvent>,
  fileId: FileId,
  fields: Partial<Omit<FileRow, 'revision'>>,
) => patchRow<FileRow>({ tenantId: at.tenantId, fileId }, { ...fields, updatedAt: event.occurredAt });

const hiddenFields = (reason: HiddenReason, since: Instant | null): Partial<FileRow> => {
  switch (reason) {
    case 'trashed':
      return { trashedAt: since };
    case 'quarantined':
      return { quarantinedAt: since };
    case 'deleted':
      return { deletedAt: since, isDeleted: since !== null, ...(since === null ? {} : { status: 'DELETING' }) };
  }
};

const accessSource: ProjectionSource<Change<FileRow>> = streamsOf(fileAccess, {
  ignored: [
    'FolderCreated',
    'FolderRenamed',
    'FolderMoved',
    'FolderTrashed',
    'FolderRestored',
    'FolderDeleted',
    'FolderOwnerChanged',
    'GrantAdded',
    'GrantRevoked',
    'GroupCreated',
    'GroupRenamed',
    'GroupDeleted',
    'GroupMemberAdded',
    'GroupMemberRemoved',
    'FileHeld',
    'FileReleased',
  ],
  FileMoved: (recorded) => placeFile(recorded, recorded.data.fileId, { folderId: recorded.data.folderId }),
  FileOwnerChanged: (recorded) => placeFile(recorded, recorded.data.fileId, { ownerId: recorded.data.ownerId }),
  FileHidden: (recorded) =>
    placeFile(recorded, recorded.data.fileId, hiddenFields(recorded.data.reason, recorded.event.occurredAt)),
  FilePurged: (recorded) =>
    placeFile(recorded, recorded.data.fileId, hiddenFields('deleted', recorded.event.occurredAt)),
  FileRevealed: (recorded) => placeFile(recorded, recorded.data.fileId, hiddenFields(recorded.data.reason, null)),
});

export const filesProjection = projection(filesView, [
  fileSource,
  accessSource,
  streamsOf(deletions, {
    ignored: ['DeletionBegun', 'DeletionStepCompleted', 'DeletionStepDelayed', 'RemainsRemoved'],
    FileDeleted: ({ data: { fileId, deletedAt }, at: { tenantId } }) =>
      patchRow<FileRow>({ tenantId, fileId }, { status: 'DELETED', updatedAt: deletedAt }),
  }),
  processingSource<FileRow>({
    of: ({ tenantId, fileId, versionId }) => ({ tenantId, fileId, statusVersionId: versionId, isDeleted: false }),
    isCurrent: (isCurrent) => ({ hasCurrent: isCurrent }),
    at: (updatedAt) => ({ updatedAt }),
  }),
]);
