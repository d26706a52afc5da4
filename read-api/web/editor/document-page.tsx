/** One document: who owns it, who has it open now, members and versions. */
import {
  getDocument,
  getTenantDocument,
  listDocumentMembers,
  listDocumentPresence,
  listDocumentVersions,
  listTenantDocumentMembers,
} from '../../../packages/client/src/operations';
import type {
  DocumentMember,
  DocumentVersion,
  PresentPrincipal,
  TenantDocumentForCaller,
} from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { Guide } from '../components/guide';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import { StatusBadge } from '../components/status-badge';
import { type Column, Table } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { DescriptionList } from '../identity/shared/display';
import { hasScope, ownTenant } from '../kernel/permissions';
import { usePages } from '../kernel/use-pages';
import { useResource } from '../kernel/use-resource';
import { streamPath } from '../platform/paths';
import { CopyableId } from '../references/copyable-id';
import { Actor, Reference } from '../references/reference';
import type { PageProps } from '../shell/section';

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

const memberColumns: readonly Column<DocumentMember>[] = [
  { title: 'Member', show: ({ principalId }) => <Reference kind="principal" id={principalId} /> },
  {
    title: 'Role',
    show: ({ role, byLink, appointedBy }) => (
      <>
        {role} {byLink && <StatusBadge>by the link</StatusBadge>}
        {appointedBy !== null && (
          <div class="below">
            Appointed by <Actor actor={appointedBy} />
          </div>
        )}
      </>
    ),
  },
  { title: 'Joined', kind: 'tight', isWide: true, show: ({ joinedAt }) => <Timestamp at={joinedAt} /> },
];

const Members = ({ documentId }: OfDocument) => {
  const list = isAdministrator() ? listTenantDocumentMembers : listDocumentMembers;
  return (
    <section class="section">
      <h2>Members</h2>
      <PagedTable
        pages={usePages(list({ documentId, limit: 20 }))}
        label="Members"
        one="member"
        columns={memberColumns}
        keyOf={({ principalId }) => principalId}
        empty={<p class="notice">No members. An administrator can appoint an owner by the API.</p>}
        rows={2}
      />
    </section>
  );
};

const versionColumns: readonly Column<DocumentVersion>[] = [
  {
    title: 'Change',
    show: ({ kind, name, version, fromVersion, at }) => (
      <>
        {name ?? (kind === 'edits' ? 'Edits' : kind)}
        <div class="below">
          {fromVersion === version ? `Version ${version}` : `Versions ${fromVersion} to ${version}`}
        </div>
        <div class="below narrow">
          <Timestamp at={at} />
        </div>
      </>
    ),
  },
  { title: 'By', show: ({ author }) => <Reference kind="principal" id={author} /> },
  { title: 'At', kind: 'tight', isWide: true, show: ({ at }) => <Timestamp at={at} /> },
];

const Activity = ({ documentId }: OfDocument) => {
  const pages = usePages(listDocumentVersions({ documentId, limit: 20 }));
  return (
    <PagedTable
      pages={pages}
      label="Activity"
      one="entry"
      many="entries"
      columns={versionColumns}
      keyOf={({ kind, version, fromVersion }) => `${kind} ${version} ${fromVersion}`}
      empty={
        <p class="notice">
          No changes yet. Applications draw in the document with the editor engine, programs by the API.{' '}
          <Guide name="editor" group="editor" />
        </p>
      }
      rows={3}
    />
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
  return (
    <>
      <PageHeading
        title={content?.title ?? 'Document'}
        trail={[{ label: 'Documents', path: '/console/documents' }]}
        lead={<CopyableId id={documentId} of={content?.title ?? 'the document'} />}
      >
        {content !== undefined && hasScope('platform:read') && (
          <a class="button" href={streamPath(`editor.document-${ownTenant()}.${documentId}`)}>
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
                ['Status', found.status === 'trashed' ? 'In the trash' : 'Active'],
                ['Changed', <Timestamp key="changed" at={found.updatedAt} />],
                ['Created', <Timestamp key="created" at={found.createdAt} />],
                ['Created by', <Reference key="by" kind="principal" id={found.createdBy} />],
                ['Home region', found.homeRegion],
              ]}
            />
            <Present documentId={documentId} />
            <Members documentId={documentId} />
            <section class="section">
              <h2>Activity</h2>
              {found.role === null ? (
                <p class="notice">Only members of the document see who changed what.</p>
              ) : (
                <Activity documentId={documentId} />
              )}
            </section>
          </>
        )}
      </AsyncContent>
    </>
  );
};
