/** Version history of documents: edits by author, named versions, restores. */
import type * as t from 'io-ts';
import { VersionName } from '../../../domain/editor/document/events';
import { DocumentId } from '../../../domain/editor/ids';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/**
 * `edits`: one author's edits within ten minutes. `named`: a named version. `restored`: an earlier version was
 * restored. `before-restore`: the version before that, with a generated name.
 */
export const VersionKind = oneOf('VersionKind', ['edits', 'named', 'restored', 'before-restore']);

export const DocumentVersionRow = record('DocumentVersionRow', {
  tenantId: TenantId,
  documentId: DocumentId,
  entryId: text('VersionEntryId', { maxLength: 256 }),
  kind: VersionKind,
  /** The last version. */
  version: integer(0),
  fromVersion: integer(0),
  author: text('VersionAuthor', { examples: ['7d9f1c9e'], maxLength: 128 }),
  /** Of the first and the last edit. */
  startedAt: Instant,
  at: Instant,
  name: nullable(VersionName),
  /** The version that was restored. */
  restoredVersion: nullable(integer(0)),
  revision: integer(0),
});
export type DocumentVersionRow = t.TypeOf<typeof DocumentVersionRow>;

export const documentVersionsView: TableView<DocumentVersionRow> = table({
  name: 'editor_versions',
  version: 2,
  row: DocumentVersionRow,
  key: ['tenantId', 'documentId', 'entryId'],
  indexes: [['tenantId', 'documentId', 'version', 'entryId']],
});
