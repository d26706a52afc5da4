import { files } from '../../../domain/files/file/events';
import type { FileId, VersionId } from '../../../domain/files/ids';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { processingSource, unprocessed } from '../processing';
import { type FileVersionRow, fileVersionsView } from './view';

type OfVersion = RecordedEvent<{
  readonly type: string;
  readonly data: { readonly fileId: FileId; readonly versionId: VersionId };
}>;

const patchVersion = ({ data, at }: OfVersion, fields: Partial<FileVersionRow>, versionId = data.versionId) =>
  patchRow<FileVersionRow>(
    { tenantId: at.tenantId, fileId: data.fileId, versionId },
    { ...fields, revision: at.revision },
  );

export const fileVersionsProjection = projection(fileVersionsView, [
  streamsOf(files, {
    ignored: ['FileCreated', 'FileRenamed'],
    VersionOpened: ({ data, at, event }) => {
      const { fileId, versionId, versionNumber, sizeBytes, mimeType, openedBy, expiresAt } = data;
      return putRow<FileVersionRow>({
        fileId,
        versionId,
        versionNumber,
        status: 'UPLOADING',
        isCurrent: false,
        sizeBytes,
        mimeType,
        checksumSha256: null,
        ...unprocessed,
        createdBy: openedBy,
        createdAt: event.occurredAt,
        uploadedAt: null,
        expiresAt,
        ...at,
      });
    },
    VersionUploaded: (recorded) => {
      const { checksumSha256 } = recorded.data;
      return patchVersion(recorded, { status: 'UPLOADED', checksumSha256, uploadedAt: recorded.event.occurredAt });
    },
    VersionExpired: (recorded) => patchVersion(recorded, { status: 'EXPIRED' }),
    VersionSuperseded: (recorded) => patchVersion(recorded, { status: 'SUPERSEDED' }),
    VersionActivated: (recorded) => {
      const { versionId, pipelineVersion, isComplete, replaced } = recorded.data;
      const complete = isComplete ? { progressPercent: 100, errorCode: null, errorDetail: null } : {};
      const status = isComplete ? 'READY' : 'PARTIALLY_READY';
      return [
        ...(replaced === null || replaced.versionId === versionId
          ? []
          : patchVersion(recorded, { isCurrent: false }, replaced.versionId)),
        ...patchVersion(recorded, { isCurrent: true, pipelineVersion, status, ...complete }),
      ];
    },
  }),
  processingSource<FileVersionRow>({
    of: ({ tenantId, fileId, versionId }) => ({ tenantId, fileId, versionId }),
    isCurrent: (isCurrent) => ({ isCurrent }),
    at: () => ({}),
    cancelled: { status: 'SUPERSEDED' },
  }),
]);
