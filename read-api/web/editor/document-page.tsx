/** One document: who owns it, who has it open now, members and history. */
import { getDocument, getTenantDocument, listDocumentPresence } from '../../../packages/client/src/operations';
import type { PresentPrincipal, TenantDocumentForCaller } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { PageHeading } from '../components/page-heading';
import { StatusBadge } from '../components/status-badge';
import { type Column, Table } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { DescriptionList } from '../identity/shared/display';
import { hasScope } from '../kernel/permissions';
import { useResource } from '../kernel/use-resource';
import { streamPath } from '../platform/paths';
import { CopyableId } from '../references/copyable-id';
import { Reference } from '../references/reference';
import type { PageProps } from '../shell/section';
import { DocumentActions } from './document-actions';
import { documentStream } from './paths';
import { canEdit } from './roles';
import { Sharing } from './sharing';
import { VersionHistory } from './version-history';

interface OfDocument {
  readonly documentId: string;
}

/** Administrators need no role; other callers have one, or get 404. */
const isAdministrator = (): boolean => hasScope('documents:admin');

const presenceMilliseconds = 3_000;

const presenceColumns: readonly Column<PresentPrincipal>[] = [
  { title: 'Principal', show: ({ principalId }) => <Reference kind="principal" id={principalId} /> },
  { title: 'Connections', kind: 'number', show: ({ connections }) => connections },
];

const Present = ({ documentId }: OfDocument) => {
  const present = useResource(listDocumentPresence({ documentId }), { everyMilliseconds: presenceMilliseconds });
  return (
    <section class="section">
      <h2>Open now</h2>
      <AsyncContent source={present} rows={1}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="notice">Nobody has the document open.</p>
          ) : (
            <Table label="Open now" rows={items} columns={presenceColumns} keyOf={({ principalId }) => principalId} />
          )
        }
      </AsyncContent>
    </section>
  );
};

type Known = Omit<TenantDocumentForCaller, 'documentId'>;

export const DocumentPage = ({ params }: PageProps) => {
  const { documentId = '' } = params;
  const asAdministrator = isAdministrator();
  const document = useResource<Known>(
    asAdministrator ? getTenantDocument({ documentId }) : getDocument({ documentId }),
  );
  const { content } = document;
  const eventsHref = hasScope('platform:read') ? streamPath(documentStream(documentId)) : undefined;
  return (
    <>
      <PageHeading
        title={content?.title ?? 'Document'}
        trail={[{ label: 'Documents', path: '/console/documents' }]}
        lead={<CopyableId id={documentId} of={content?.title ?? 'the document'} />}
      >
        {content !== undefined && (
          <DocumentActions
            documentId={documentId}
            title={content.title}
            status={content.status}
            role={content.role}
            onDone={document.reload}
          />
        )}
        {content !== undefined && eventsHref !== undefined && (
          <a class="button" href={eventsHref}>
            Events
          </a>
        )}
      </PageHeading>
      <AsyncContent source={document} rows={3}>
        {(found) => (
          <>
            <DescriptionList
              facts={[
                ['Version', found.headVersion],
                [
                  'Status',
                  <StatusBadge key="status" tone={found.status === 'trashed' ? 'warn' : 'good'}>
                    {found.status === 'trashed' ? 'in the trash' : 'active'}
                  </StatusBadge>,
                ],
                ['Changed', <Timestamp key="changed" at={found.updatedAt} />],
                ['Created', <Timestamp key="created" at={found.createdAt} />],
                ['Created by', <Reference key="by" kind="principal" id={found.createdBy} />],
                ['Home region', found.homeRegion],
              ]}
            />
            <Present documentId={documentId} />
            <Sharing
              documentId={documentId}
              isOwner={found.role === 'owner'}
              isAdministrator={asAdministrator}
              onDone={document.reload}
            />
            {/* Read again with a new title or status, which are in it. */}
            <VersionHistory
              key={`${found.title} ${found.status}`}
              documentId={documentId}
              isMember={found.role !== null}
              mayDraw={found.status === 'active' && canEdit(found.role) && hasScope('documents:write')}
            />
          </>
        )}
      </AsyncContent>
    </>
  );
};
