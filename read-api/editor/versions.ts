/** GET /v1/documents/:documentId/versions: the version history. */
import type * as t from 'io-ts';
import type { DocumentId } from '../../domain/editor/ids';
import { record } from '../../domain/kernel/codec';
import { DocumentVersionRow, documentVersionsView, VersionKind } from '../../projections/editor/versions/view';
import { definedFields } from '../kernel/defined-fields';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { DocumentParams, scopes, withDocumentAccess } from './access-guard';

const DocumentVersion = record('DocumentVersion', answerFields(DocumentVersionRow, 'documentId', 'entryId'));

export const versionsSpec = {
  description:
    '`edits` are the edits of one author within ten minutes, from `fromVersion` to `version`; edits of others may lie in between. `named` versions have a name, `restored` ones are the result of a restore (`restoredVersion`), and `before-restore` is the version before it, named automatically.',
  params: DocumentParams,
  item: DocumentVersion,
  view: documentVersionsView,
  filters: { kind: VersionKind },
  order: [
    { field: 'version', direction: 'desc' },
    { field: 'entryId', direction: 'desc' },
  ],
  rows: (
    { documentId }: { readonly documentId: DocumentId },
    { kind }: { readonly kind?: t.TypeOf<typeof VersionKind> },
  ) => ({
    where: { documentId, ...definedFields({ kind }) },
  }),
  show: toResponseOf(DocumentVersion),
} as const;

export const listVersions = withDocumentAccess(
  { of: 'rows' },
  pageRoute({
    ...versionsSpec,
    path: '/v1/documents/:documentId/versions',
    operation: 'listDocumentVersions',
    summary: 'List the versions of a document, newest first',
    scopes,
  }),
);
