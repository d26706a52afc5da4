/** Views of archives: their states in Postgres, and the text of their documents in Elasticsearch, of content in object storage. */
import * as t from 'io-ts';
import { integer, nullable, record, text } from '../../../../domain/kernel/codec';
import { TenantId } from '../../../../domain/kernel/ids';
import type { IndexView, TableView } from '../../../../infra/ports/views/view-store';
import { rowsFromJson } from '../../../../projections/kernel/content';
import { type Projection, patchRow, projection, putRow, streamsOf } from '../../../../projections/kernel/projection';
import type { RecordedEvent } from '../../../../projections/kernel/recorded-event';
import { index, table } from '../../../../projections/kernel/view';
import { type ArchiveEvent, ArchiveId, ArchiveName, ArchiveState, archives } from './domain';

export const ArchiveRow = record('ArchiveRow', {
  tenantId: TenantId,
  archiveId: ArchiveId,
  name: ArchiveName,
  size: integer(0),
  state: ArchiveState,
  documents: integer(0),
  reason: nullable(t.string),
  revision: integer(0),
});
export type ArchiveRow = t.TypeOf<typeof ArchiveRow>;

export const archivesView: TableView<ArchiveRow> = table({
  name: 'archives_archives',
  version: 1,
  row: ArchiveRow,
  key: ['tenantId', 'archiveId'],
});

export const DocumentRow = record('DocumentRow', {
  tenantId: TenantId,
  archiveId: ArchiveId,
  path: text('DocumentPath', { maxLength: 1_024 }),
  text: t.string,
  revision: integer(0),
});
export type DocumentRow = t.TypeOf<typeof DocumentRow>;

export const documentsView: IndexView<DocumentRow> = index({
  name: 'archives_documents',
  version: 1,
  row: DocumentRow,
  content: true,
  key: ['tenantId', 'archiveId', 'path'],
  settings: {
    analysis: {
      analyzer: { folded: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding'] } },
    },
  },
  mappings: { text: { type: 'text', analyzer: 'folded' } },
});

const Documents = record('Documents', { documents: t.array(record('Document', { path: t.string, text: t.string })) });

const change = (
  archiveId: string,
  { tenantId, revision }: RecordedEvent<ArchiveEvent>['at'],
  fields: Partial<ArchiveRow>,
) => patchRow<ArchiveRow>({ tenantId, archiveId }, { ...fields, revision });

const states = projection(archivesView, [
  streamsOf(archives, {
    ArchiveOpened: ({ data, at }) =>
      putRow<ArchiveRow>({ ...data, state: 'uploading', documents: 0, reason: null, ...at }),
    ArchiveStored: ({ data: { archiveId }, at }) => change(archiveId, at, { state: 'stored' }),
    ArchiveExtracted: ({ data: { archiveId, documents }, at }) =>
      change(archiveId, at, { documents, state: 'extracted' }),
    ArchiveRefused: ({ data: { archiveId, reason }, at }) => change(archiveId, at, { reason, state: 'refused' }),
  }),
]);

const texts = projection(documentsView, [
  streamsOf(archives, {
    ArchiveExtracted: ({ data: { archiveId, content }, at }) =>
      rowsFromJson(content, Documents, {
        rows: ({ documents }) =>
          documents.map((document) => ({ kind: 'put', row: { archiveId, ...document, ...at } }) as const),
      }),
    ignored: ['ArchiveOpened', 'ArchiveStored', 'ArchiveRefused'],
  }),
]);

export const views: readonly Projection[] = [states, texts];
