/** Documents: the caller's own, and all of the tenant for its administrators. */
import { useState } from 'preact/hooks';
import { listDocuments, listTenantDocuments } from '../../../packages/client/src/operations';
import type { Document, ListedTenantDocument } from '../../../packages/client/src/schemas';
import { EmptyState } from '../components/empty-state';
import { FilterField } from '../components/filter-field';
import { ChoiceField, type Option } from '../components/form-fields';
import { Guide } from '../components/guide';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import { StatusBadge } from '../components/status-badge';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { hasScope } from '../kernel/permissions';
import { fromAddress, useFilterInput } from '../kernel/use-filter-input';
import { usePages } from '../kernel/use-pages';
import { CopyableId } from '../references/copyable-id';
import { Reference } from '../references/reference';
import type { PageProps } from '../shell/section';
import { NewDocument } from './new-document';
import { OwnInvitations } from './own-invitations';
import { documentPath } from './paths';

interface Row extends Pick<Document, 'title' | 'status' | 'headVersion' | 'updatedAt'> {
  readonly documentId: string;
}

const titleColumn: Column<Row> = {
  title: 'Document',
  show: ({ documentId, title, status, updatedAt }) => (
    <>
      <a href={documentPath(documentId)}>{title}</a> {status === 'trashed' && <StatusBadge>in the trash</StatusBadge>}
      <div class="below">
        <CopyableId id={documentId} of={title} />
      </div>
      <div class="below narrow">
        <Timestamp at={updatedAt} />
      </div>
    </>
  ),
};

const versionColumns: readonly Column<Row>[] = [
  { title: 'Version', kind: 'number', isWide: true, show: ({ headVersion }) => headVersion },
  { title: 'Changed', kind: 'tight', isWide: true, show: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
];

const noMatch = <EmptyState title="No document matches">The search looks in titles and ignores case.</EmptyState>;

/** Of a list that nothing narrows. */
const noDocuments = (
  <EmptyState title="No documents yet">
    A document is a design that several people edit at once; each change is kept, so every version can be opened again.
    Create one here or by the API, then open it in your application with the editor engine.{' '}
    <Guide name="editor" group="editor" />
  </EmptyState>
);

const emptyListOf = (which: string) => {
  if (which === 'trashed')
    return (
      <EmptyState title="The trash is empty">
        Documents that you move to the trash stay here until you delete or restore them.
      </EmptyState>
    );
  if (which === 'shared')
    return (
      <EmptyState title="Nothing is shared with you">
        Owners share a document by an invitation, which waits here for you, or by a link.
      </EmptyState>
    );
  return noDocuments;
};

const roleColumn: Column<Row & Pick<Document, 'role'>> = { title: 'Your role', show: ({ role }) => role };

const OwnDocuments = ({ which, search }: { readonly which: string; readonly search: string }) => {
  const { items, ...pages } = usePages(listDocuments(fromAddress({ which, search, limit: 50 })));
  return (
    <PagedTable
      pages={{ ...pages, items: items?.map((document) => ({ ...document, documentId: document.id })) }}
      label="Documents"
      one="document"
      columns={[titleColumn, roleColumn, ...versionColumns]}
      keyOf={({ documentId }) => documentId}
      empty={search.trim() === '' ? emptyListOf(which) : noMatch}
    />
  );
};

const ownersColumn: Column<ListedTenantDocument> = {
  title: 'Owners',
  show: ({ owners }) =>
    owners.length === 0 ? (
      <span class="faint">—</span>
    ) : (
      owners.map((principalId) => (
        <div key={principalId}>
          <Reference kind="principal" id={principalId} />
        </div>
      ))
    ),
};

const AllDocuments = ({ search }: { readonly search: string }) => (
  <PagedTable
    pages={usePages(listTenantDocuments(fromAddress({ search, limit: 50 })))}
    label="Documents"
    one="document"
    columns={[titleColumn, ownersColumn, ...versionColumns]}
    keyOf={({ documentId }) => documentId}
    empty={search.trim() === '' ? noDocuments : noMatch}
  />
);

const ownOptions: readonly Option<string>[] = [
  { value: 'all', label: 'Yours and shared with you' },
  { value: 'mine', label: 'Yours' },
  { value: 'shared', label: 'Shared with you' },
  { value: 'trashed', label: 'Your trash' },
];

export const DocumentListPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput('/console/documents', query, ['search', 'which']);
  const [isCreating, setCreating] = useState(false);
  const isAdministrator = hasScope('documents:admin');
  const options = isAdministrator ? [{ value: 'tenant', label: 'All documents' }, ...ownOptions] : ownOptions;
  const initial = isAdministrator ? 'tenant' : 'all';
  const which = applied.which === '' ? initial : applied.which;
  return (
    <>
      <PageHeading title="Documents" lead="Design documents, their owners, and who has them open.">
        {hasScope('documents:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            Create a document
          </button>
        )}
      </PageHeading>
      <OwnInvitations />
      <search class="filters">
        <FilterField
          label="Part of the title"
          isSearch
          value={typed.search}
          onType={(value) => type('search', value)}
        />
        <ChoiceField
          label="Show"
          value={typed.which === '' ? initial : typed.which}
          options={options}
          onChoose={(wanted) => type('which', wanted)}
        />
      </search>
      {which === 'tenant' ? (
        <AllDocuments search={applied.search} />
      ) : (
        <OwnDocuments which={which} search={applied.search} />
      )}
      {isCreating && <NewDocument close={() => setCreating(false)} />}
    </>
  );
};
