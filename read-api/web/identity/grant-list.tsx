/** Grants: the access that people granted to clients. */
import { listGrants, revokeGrant } from '../../../packages/client/src/operations';
import { EmptyState } from '../components/empty-state';
import { FilterField } from '../components/filter-field';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { hasScope } from '../kernel/permissions';
import { fromAddress, useFilterInput } from '../kernel/use-filter-input';
import { type Pages, usePages } from '../kernel/use-pages';
import { Reference } from '../references/reference';
import type { PageProps } from '../shell/section';
import { grantPath } from './paths';
import { type ReasonedAction, RowButton, useActions } from './shared/action-dialog';
import { isOver, SelectFilter, Status, TagList } from './shared/display';
import type { Grant } from './wire';

const grantColumn: Column<Grant> = {
  title: 'Grant',
  show: ({ grantId, clientId, createdAt }) => (
    <>
      <a class="mono" href={grantPath(grantId)}>
        {grantId}
      </a>
      <div class="below narrow">
        <Reference kind="client" id={clientId} isShort />
        <br />
        <Timestamp at={createdAt} />
      </div>
    </>
  ),
};

const principalColumn: Column<Grant> = {
  title: 'On behalf of',
  isWide: true,
  show: ({ principalId }) => <Reference kind="principal" id={principalId} />,
};

const otherColumns: readonly Column<Grant>[] = [
  {
    title: 'Client',
    isWide: true,
    show: ({ clientId }) => <Reference kind="client" id={clientId} />,
  },
  { title: 'Status', show: ({ status, expiresAt }) => <Status status={status} expiresAt={expiresAt} /> },
  { title: 'Scopes', isWide: true, show: ({ scopes }) => <TagList words={scopes} most={3} /> },
  { title: 'Created', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

export const revoking = (grantId: string): ReasonedAction => ({
  title: 'Revoke the grant?',
  text: 'Its refresh tokens and access tokens are refused at once. The client has to request authorization again.',
  act: 'Revoke grant',
  success: 'The grant was revoked.',
  isDangerous: true,
  command: (reason) => revokeGrant({ grantId, body: { reason } }),
});

export const canRevoke = ({ status, expiresAt }: Grant): boolean =>
  hasScope('grants:write') && status === 'ACTIVE' && !isOver(expiresAt);

const actionColumn = (openDialog: (action: ReasonedAction) => void): Column<Grant> => ({
  title: 'Actions',
  kind: 'tight',
  show: (grant) =>
    canRevoke(grant) ? (
      <RowButton
        label="Revoke"
        what={`grant ${grant.grantId}`}
        isDangerous
        onPress={() => openDialog(revoking(grant.grantId))}
      />
    ) : null,
});

interface TableProps {
  readonly pages: Pages<Grant>;
  readonly isOfOne?: boolean;
}

export const GrantTable = ({ pages, isOfOne = false }: TableProps) => {
  const { openDialog, dialog } = useActions(pages.reload);
  const columns = [
    grantColumn,
    ...(isOfOne ? [] : [principalColumn]),
    ...otherColumns,
    ...(hasScope('grants:write') ? [actionColumn(openDialog)] : []),
  ];
  return (
    <>
      <PagedTable
        pages={pages}
        label="Grants"
        one="grant"
        columns={columns}
        keyOf={({ grantId }) => grantId}
        empty={isOfOne ? <p class="notice">No grant.</p> : <EmptyState title="There is no such grant" />}
        rows={isOfOne ? 2 : 6}
      />
      {dialog}
    </>
  );
};

export const GrantListPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput('/console/grants', query, [
    'principalId',
    'clientId',
    'sessionId',
    'status',
  ]);
  const [principalId, clientId] = [applied.principalId.trim(), applied.clientId.trim()];
  const wanted = { principalId, clientId, sessionId: applied.sessionId, status: applied.status };
  const pages = usePages(listGrants(fromAddress({ ...wanted, limit: 50 })));
  const filter = (label: string, name: 'principalId' | 'clientId', isSearch: boolean) => (
    <FilterField label={label} isSearch={isSearch} value={typed[name]} onType={(value) => type(name, value)} />
  );
  return (
    <>
      <PageHeading
        title="Grants"
        lead="What a client may do on behalf of a person. Revoking a grant revokes all of its tokens."
      />
      <search class="filters three">
        {filter('Principal id', 'principalId', true)}
        {filter('Client id', 'clientId', false)}
        <SelectFilter
          label="Status"
          value={typed.status}
          words={['ACTIVE', 'REVOKED', 'COMPROMISED']}
          onChoose={(term) => type('status', term)}
        />
      </search>
      {applied.sessionId !== '' && (
        <p class="notice">
          Grants of one session. <a href="/console/grants">Show all</a>
        </p>
      )}
      <GrantTable pages={pages} />
    </>
  );
};
