/** Documents that are not deleted, with the specification's fields: metadata and head version. */
import * as t from 'io-ts';
import { HomeRegion, Title } from '../../../domain/editor/document/events';
import { DocumentId } from '../../../domain/editor/ids';
import { LinkRole } from '../../../domain/editor/roles';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

const DocumentStatus = oneOf('DocumentStatus', ['active', 'trashed']);
export type DocumentStatus = t.TypeOf<typeof DocumentStatus>;

const Key = text('StorageKey', { examples: ['documents/main/9b2e/manifest'], maxLength: 512 });

/** The newest snapshot; it may name the document from which the content was copied. */
export const DocumentSnapshot = record('DocumentSnapshot', {
  documentId: DocumentId,
  version: integer(0),
  schemaVersion: integer(1),
  compressedSceneKey: Key,
  checksum: text('SnapshotChecksum', {
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    maxLength: 64,
  }),
  assetRefs: t.array(Key, 'AssetKeys'),
});
export type DocumentSnapshot = t.TypeOf<typeof DocumentSnapshot>;

const CopiedFrom = record('DocumentCopiedFrom', { documentId: DocumentId, version: integer(0) });

export const DocumentRow = record('DocumentRow', {
  tenantId: TenantId,
  documentId: DocumentId,
  title: Title,
  /** Lower case, for search and order. */
  plainTitle: text('PlainTitle', { maxLength: 1_000 }),
  headVersion: integer(0),
  homeRegion: HomeRegion,
  createdBy: PrincipalId,
  createdAt: Instant,
  /** Last change of content or metadata. */
  updatedAt: Instant,
  status: DocumentStatus,
  trashedAt: nullable(Instant),
  /** Null if there is no link. */
  linkRole: nullable(LinkRole),
  copiedFrom: nullable(CopiedFrom),
  snapshot: nullable(DocumentSnapshot),
  /** Revision of the document's own stream; the content has `headVersion`. */
  revision: integer(0),
});
export type DocumentRow = t.TypeOf<typeof DocumentRow>;

export const documentsView: TableView<DocumentRow> = table({
  name: 'editor_documents',
  version: 2,
  row: DocumentRow,
  key: ['tenantId', 'documentId'],
});
