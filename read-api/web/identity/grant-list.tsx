/** Grants: the access that people granted to clients. */
import { useState } from 'preact/hooks';
import { listGrants, revokeGrant } from '../../../packages/client/src/operations';
import { EmptyState } from '../components/empty-state';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { renderTime } from '../kernel/now';
import { hasScope } from '../kernel/permissions';
import { fromAddress, useFilterInput } from '../kernel/use-filter-input';
import { type Pages, usePages } from '../kernel/use-pages';
import { CopyableId } from '../references/copyable-id';
import { ListByName, NameFilterField, NameFilterNotes } from '../references/name-filter';
import { Reference, useName } from '../references/reference';
import { idsOf, useClientFilter, usePrincipalFilter } from '../references/use-name-filter';
import type { PageProps } from '../shell/section';
import { delegationsPath } from './fixed-paths';
import { grantPath } from './paths';
import { type ReasonedAction, RowButton, useActions } from './shared/action-dialog';
import { isOver, SelectFilter, Status, TagList } from './shared/display';
import type { Grant } from './wire';

/** Called by the client that may act, and leads to the grant. */
const GrantLink = ({ grantId, clientId }: Pick<Grant, 'grantId' | 'clientId'>) => {
  const client = useName('client', clientId) ?? clientId;
  return (
    <span class="reference row-name">
      <a href={grantPath(grantId)} title={clientId}>
        {client}
      </a>
      <span class="below">
        <CopyableId id={grantId} of={`the grant to ${client}`} />
      </span>
    </span>
  );
};

const grantColumn = (isOfOne: boolean): Column<Grant> => ({
  title: 'Client',
  show: ({ grantId, clientId, principalId, createdAt }) => (
    <>
      <GrantLink grantId={grantId} clientId={clientId} />
      <div class="below narrow">
        {!isOfOne && (
          <>
            On behalf of <Reference kind="principal" id={principalId} isShort />
            <br />
          </>
        )}
        <Timestamp at={createdAt} />
      </div>
    </>
  ),
});

const principalColumn: Column<Grant> = {
  title: 'On behalf of',
  isWide: true,
  show: ({ principalId }) => <Reference kind="principal" id={principalId} />,
};

const otherColumns: readonly Column<Grant>[] = [
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

const RevokeButton = ({ grant, onPress }: { readonly grant: Grant; readonly onPress: () => void }) => {
  const principal = useName('principal', grant.principalId) ?? grant.principalId;
  const client = useName('client', grant.clientId) ?? grant.clientId;
  return <RowButton label="Revoke" what={`the grant of ${principal} to ${client}`} isDangerous onPress={onPress} />;
};

const actionColumn = (openDialog: (action: ReasonedAction) => void): Column<Grant> => ({
  title: 'Actions',
  kind: 'tight',
  show: (grant) =>
    canRevoke(grant) ? <RevokeButton grant={grant} onPress={() => openDialog(revoking(grant.grantId))} /> : null,
});

interface TableProps {
  readonly pages: Pages<Grant>;
  readonly isOfOne?: boolean;
  readonly isFiltered?: boolean;
}

const NoGrants = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <EmptyState title={isFiltered ? 'No grant matches' : 'No grants yet'}>
    A grant is created when a person signs in to a <a href="/console/clients">client</a> and allows it something.
  </EmptyState>
);

export const GrantTable = ({ pages, isOfOne = false, isFiltered = false }: TableProps) => {
  const { openDialog, dialog } = useActions(pages.reload);
  const columns = [
    grantColumn(isOfOne),
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
        empty={
          isOfOne ? (
            <p class="notice">No grants. One is created when the person signs in to a client.</p>
          ) : (
            <NoGrants isFiltered={isFiltered} />
          )
        }
        rows={isOfOne ? 2 : 6}
      />
      {dialog}
    </>
  );
};

const path = '/console/grants';

/** As rows show it: the status of an expired grant is still `ACTIVE`. */
const wantedStatus = (status: string, at: string): { readonly [filter: string]: string } => {
  if (status === 'ACTIVE') return { status, expiresAfter: at };
  return status === 'EXPIRED' ? { status: 'ACTIVE', expiresBefore: at } : { status };
};

export const GrantListPage = ({ query }: PageProps) => {
  const names = ['principalId', 'clientId', 'sessionId', 'status'] as const;
  const { applied, typed, type } = useFilterInput(path, query, names);
  const principal = usePrincipalFilter(applied.principalId);
  const client = useClientFilter(applied.clientId);
  const [principalIds, clientIds] = [idsOf(principal), idsOf(client)];
  const { sessionId, status } = applied;
  // Fixed, so that further pages are of the same list.
  const [at] = useState(() => new Date(renderTime()).toISOString());
  const pages = usePages(
    principalIds === undefined || clientIds === undefined
      ? undefined
      : listGrants(fromAddress({ principalIds, clientIds, sessionId, ...wantedStatus(status, at), limit: 50 })),
  );
  return (
    <>
      <PageHeading
        title="Grants"
        lead="What a client may do on behalf of a person. Revoking a grant revokes all of its tokens."
      >
        <a class="button" href={delegationsPath}>
          Delegations
        </a>
      </PageHeading>
      <search class="filters three">
        <NameFilterField
          label="On behalf of"
          by="Name, login or id"
          isSearch
          value={typed.principalId}
          onType={(value) => type('principalId', value)}
        />
        <NameFilterField
          label="Client"
          by="Name or id"
          value={typed.clientId}
          onType={(value) => type('clientId', value)}
        />
        <SelectFilter
          label="Status"
          value={typed.status}
          words={['ACTIVE', 'EXPIRED', 'REVOKED', 'COMPROMISED']}
          onChoose={(term) => type('status', term)}
        />
      </search>
      {sessionId !== '' && (
        <p class="notice">
          Grants of one session. <a href={path}>Show all</a>
        </p>
      )}
      <NameFilterNotes allPath={path} noun="Grants" typed={applied.principalId} filter={principal} kind="principal" />
      <NameFilterNotes allPath={path} noun="Grants" typed={applied.clientId} filter={client} kind="client" />
      <ListByName
        filters={[
          { typed: applied.principalId, filter: principal, noun: 'principal' },
          { typed: applied.clientId, filter: client, noun: 'client' },
        ]}
      >
        <GrantTable pages={pages} isFiltered={Object.values(applied).some((value) => value !== '')} />
      </ListByName>
    </>
  );
};
