/** Versions of files: their bytes never change, and one answers at a time. */
import * as t from 'io-ts';
import { Sha256 } from '../../../domain/files/content/content-reference';
import { MediaType } from '../../../domain/files/file/events';
import { FileId, VersionId } from '../../../domain/files/ids';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';
import { processingFields } from '../processing';

/** `EXPIRED`: its upload was not completed. `SUPERSEDED`: its processing was given up for a newer one. */
const VersionStatus = oneOf('FileVersionStatus', [
  'UPLOADING',
  'UPLOADED',
  'PROCESSING',
  'PARTIALLY_READY',
  'READY',
  'FAILED',
  'EXPIRED',
  'SUPERSEDED',
]);

export const FileVersionRow = record('FileVersionRow', {
  tenantId: TenantId,
  fileId: FileId,
  versionId: VersionId,
  versionNumber: integer(1),
  status: VersionStatus,
  /** It is the one that answers. */
  isCurrent: t.boolean,
  sizeBytes: integer(1),
  mimeType: MediaType,
  /** As the uploader claims it; null until the upload is completed. */
  checksumSha256: nullable(Sha256),
  ...processingFields,
  createdBy: PrincipalId,
  createdAt: Instant,
  uploadedAt: nullable(Instant),
  /** When the upload is given up. */
  expiresAt: Instant,
  /** Of the file's stream. */
  revision: integer(0),
});
export type FileVersionRow = t.TypeOf<typeof FileVersionRow>;

export const fileVersionsView: TableView<FileVersionRow> = table({
  name: 'files_versions',
  version: 1,
  row: FileVersionRow,
  columns: { sizeBytes: 'double precision' },
  key: ['tenantId', 'fileId', 'versionId'],
  indexes: [['tenantId', 'fileId', 'versionNumber', 'versionId']],
});
