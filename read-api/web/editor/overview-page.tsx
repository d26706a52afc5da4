/** The page of the service of documents: what is edited now, and what changed recently. */
import { useState } from 'preact/hooks';
import { listDocuments, listTenantDocuments } from '../../../packages/client/src/operations';
import { AsyncContent } from '../components/async-content';
import { EmptyState } from '../components/empty-state';
import { Guide } from '../components/guide';
import { LiveCharts, type LiveMetric } from '../components/live-charts';
import { PageHeading } from '../components/page-heading';
import { type Column, Table } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { numberOf, rateOf } from '../kernel/format';
import { hasScope } from '../kernel/permissions';
import { type Resource, useResource } from '../kernel/use-resource';
import { NewDocument } from './new-document';
import { OwnInvitations } from './own-invitations';
import { documentPath, documentsPath } from './paths';

interface Changed {
  readonly documentId: string;
  readonly title: string;
  readonly headVersion: number;
  readonly updatedAt: string;
}

const columns: readonly Column<Changed>[] = [
  { title: 'Document', show: ({ documentId, title }) => <a href={documentPath(documentId)}>{title}</a> },
  { title: 'Version', kind: 'number', show: ({ headVersion }) => numberOf(headVersion) },
  { title: 'Changed', kind: 'tight', show: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
];

const metrics: readonly LiveMetric[] = [
  { title: 'Edits', series: [{ label: 'operations', tone: 'accent', series: 'document-edits' }], format: rateOf },
  {
    title: 'Open editors',
    series: [{ label: 'open', tone: 'accent', series: 'document-sessions' }],
    format: (value) => numberOf(Math.round(value)),
  },
];

const None = () => (
  <EmptyState title="No documents yet">
    A document is a design that several people edit at once; each change is kept, so every version can be opened again.
    Create one here or by the API. <Guide name="editor" group="editor" />
  </EmptyState>
);

const maxListed = 8;
const everyMilliseconds = 5_000;

const useChanged = (): Resource<readonly Changed[]> => {
  const isAdministrator = hasScope('documents:admin');
  const all = useResource(isAdministrator ? listTenantDocuments({ limit: maxListed }) : undefined, {
    everyMilliseconds,
  });
  const own = useResource(isAdministrator ? undefined : listDocuments({ limit: maxListed }), { everyMilliseconds });
  if (isAdministrator) return { ...all, content: all.content?.items };
  return { ...own, content: own.content?.items.map((document) => ({ ...document, documentId: document.id })) };
};

const Actions = () => {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <a class="button" href={documentsPath}>
        All documents
      </a>
      {hasScope('documents:write') && (
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          Create a document
        </button>
      )}
      {isCreating && <NewDocument close={() => setCreating(false)} />}
    </>
  );
};

export const DocumentsOverviewPage = () => (
  <>
    <PageHeading title="Documents" lead="Design documents that many people edit at once.">
      <Actions />
    </PageHeading>
    <OwnInvitations />
    <LiveCharts metrics={metrics} />
    <section class="section">
      <h2>Recently changed</h2>
      <AsyncContent source={useChanged()} rows={4}>
        {(documents) =>
          documents.length === 0 ? (
            <None />
          ) : (
            <Table
              label="Recently changed documents"
              rows={documents}
              columns={columns}
              keyOf={(one) => one.documentId}
            />
          )
        }
      </AsyncContent>
    </section>
  </>
);
