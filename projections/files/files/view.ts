/** Files: where each lies, and how far the version is that answers, or, until one does, the newest. Names are in a view of their own. */
import * as t from 'io-ts';
import { MediaType } from '../../../domain/files/file/events';
import { FileId, FolderId, VersionId } from '../../../domain/files/ids';
import { FileStatus } from '../../../domain/files/pipeline';
import { Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';
import { processingFields } from '../processing';

export const FileRow = record('FileRow', {
  tenantId: TenantId,
  fileId: FileId,
  ownerId: PrincipalId,
  /** Null: at the top. */
  folderId: nullable(FolderId),
  /** Of where it lay when it was created: lists are filtered by them, and checked against the access stream. */
  aclPrincipals: t.readonlyArray(text('AccessLabel', { maxLength: 140 }), 'AccessLabels'),
  status: FileStatus,
  /** The version that answers; null until one does. */
  currentVersionId: nullable(VersionId),
  hasCurrent: t.boolean,
  /** The version that the following fields are of. */
  statusVersionId: nullable(VersionId),
  versionNumber: nullable(integer(1)),
  sizeBytes: nullable(integer(1)),
  mimeType: MediaType,
  ...processingFields,
  createdAt: Instant,
  updatedAt: Instant,
  trashedAt: nullable(Instant),
  quarantinedAt: nullable(Instant),
  deletedAt: nullable(Instant),
  isDeleted: t.boolean,
  /** Of the file's own stream. */
  revision: integer(0),
});
export type FileRow = t.TypeOf<typeof FileRow>;

export const filesView: TableView<FileRow> = table({
  name: 'files_files',
  version: 3,
  row: FileRow,
  // Sizes may be above 2³¹; a double holds them exactly.
  columns: { sizeBytes: 'double precision' },
  key: ['tenantId', 'fileId'],
  indexes: [
    { method: 'gin', fields: ['aclPrincipals'] },
    ['tenantId', 'createdAt', 'fileId'],
    ['tenantId', 'updatedAt', 'fileId'],
    ['tenantId', 'sizeBytes', 'fileId'],
    ['tenantId', 'folderId', 'createdAt', 'fileId'],
    ['tenantId', 'ownerId', 'createdAt', 'fileId'],
  ],
});
