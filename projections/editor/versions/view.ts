/** The history of a document for people: who edited when, which versions have names, and what was put back. */
import type * as t from 'io-ts';
import { VersionName } from '../../../domain/editor/document/events';
import { DocumentId } from '../../../domain/editor/ids';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/**
 * `edits`: what one author did within ten minutes. `named`: a name somebody gave. `restored`: an earlier version was put back.
 * `before-restore`: what was there before that, with a name of its own.
 */
export const VersionKind = oneOf('VersionKind', ['edits', 'named', 'restored', 'before-restore']);

export const DocumentVersionRow = record('DocumentVersionRow', {
  tenantId: TenantId,
  documentId: DocumentId,
  entryId: text('VersionEntryId', { maxLength: 256 }),
  kind: VersionKind,
  /** The last of them. */
  version: integer(0),
  fromVersion: integer(0),
  author: text('VersionAuthor', { maxLength: 128 }),
  /** Of the first of them, and of the last. */
  startedAt: Instant,
  at: Instant,
  name: nullable(VersionName),
  /** Which version was put back. */
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
