/** Sessions of people. */
import { endSession, listSessions } from '../../../packages/client/src/operations';
import { EmptyState } from '../components/empty-state';
import { FilterField } from '../components/filter-field';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { hasScope, ownTenant } from '../kernel/permissions';
import { withQuery } from '../kernel/router';
import { fromAddress, useFilterInput } from '../kernel/use-filter-input';
import { type Pages, usePages } from '../kernel/use-pages';
import { streamPath } from '../platform/paths';
import { CopyableId } from '../references/copyable-id';
import { ListByName, NameFilterField, NameFilterNotes } from '../references/name-filter';
import { Reference, useName } from '../references/reference';
import { shortId } from '../references/short-id';
import { streamOf } from '../references/targets';
import { idsOf, usePrincipalFilter } from '../references/use-name-filter';
import type { PageProps } from '../shell/section';
import { type ReasonedAction, RowButton, useActions } from './shared/action-dialog';
import { isOver, MethodList, SelectFilter, Status } from './shared/display';
import type { Session } from './wire';

const SessionLinks = ({ sessionId }: Pick<Session, 'sessionId'>) => (
  <div class="below links">
    {hasScope('grants:read') && <a href={withQuery('/console/grants', { sessionId })}>Grants</a>}
    {hasScope('platform:read') && (
      <a href={streamPath(streamOf('identity', 'session', { tenantId: ownTenant(), id: sessionId }))}>Events</a>
    )}
  </div>
);

interface SessionCellProps {
  readonly session: Session;
  readonly isOfOne: boolean;
}

/** Called by the person; on the person's own page, by the time of the sign-in. */
const SessionCell = ({ session: { sessionId, principalId, openedAt, reason }, isOfOne }: SessionCellProps) => (
  <>
    {isOfOne ? <Timestamp at={openedAt} /> : <Reference kind="principal" id={principalId} isShort />}
    <div class="below">
      Session <CopyableId id={sessionId} of="the session" />
    </div>
    <SessionLinks sessionId={sessionId} />
    {!isOfOne && (
      <div class="below narrow">
        Signed in <Timestamp at={openedAt} />
      </div>
    )}
    {reason !== null && <div class="below">{reason}</div>}
  </>
);

const columnsOf = (isOfOne: boolean): readonly Column<Session>[] => [
  {
    title: isOfOne ? 'Signed in' : 'Person',
    show: (session) => <SessionCell session={session} isOfOne={isOfOne} />,
  },
  { title: 'Status', show: ({ status, expiresAt }) => <Status status={status} expiresAt={expiresAt} /> },
  { title: 'Methods', isWide: true, show: ({ methods }) => <MethodList methods={methods} /> },
  ...(isOfOne
    ? []
    : [
        {
          title: 'Signed in',
          kind: 'tight' as const,
          isWide: true,
          show: ({ openedAt }: Session) => <Timestamp at={openedAt} />,
        },
      ]),
  {
    title: 'Until',
    kind: 'tight',
    isWide: true,
    show: ({ endedAt, expiresAt }) => <Timestamp at={endedAt ?? expiresAt} />,
  },
];

const ending = ({ sessionId }: Session): ReasonedAction => ({
  title: 'End the session?',
  text: 'The browser is signed out, and tokens of the session are refused at once.',
  act: 'End session',
  success: 'The session was ended.',
  isDangerous: true,
  command: (reason) => endSession({ sessionId, body: { reason } }),
});

const EndButton = ({ session, onPress }: { readonly session: Session; readonly onPress: () => void }) => {
  const principal = useName('principal', session.principalId) ?? session.principalId;
  return (
    <RowButton
      label="End"
      what={`the session ${shortId(session.sessionId)} of ${principal}`}
      isDangerous
      onPress={onPress}
    />
  );
};

const actionColumn = (openDialog: (action: ReasonedAction) => void): Column<Session> => ({
  title: 'Actions',
  kind: 'tight',
  show: (session) =>
    session.status === 'ACTIVE' && !isOver(session.expiresAt) ? (
      <EndButton session={session} onPress={() => openDialog(ending(session))} />
    ) : null,
});

interface TableProps {
  readonly pages: Pages<Session>;
  readonly isOfOne?: boolean;
  readonly isFiltered?: boolean;
}

const NoSessions = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <EmptyState title={isFiltered ? 'No session matches' : 'No sessions yet'}>
    A session begins when a person signs in with a browser. Programs that use a{' '}
    <a href="/console/credentials">credential</a> have none.
  </EmptyState>
);

export const SessionTable = ({ pages, isOfOne = false, isFiltered = false }: TableProps) => {
  const { openDialog, dialog } = useActions(pages.reload);
  const columns = [...columnsOf(isOfOne), ...(hasScope('sessions:write') ? [actionColumn(openDialog)] : [])];
  return (
    <>
      <PagedTable
        pages={pages}
        label="Sessions"
        one="session"
        columns={columns}
        keyOf={({ sessionId }) => sessionId}
        empty={
          isOfOne ? (
            <p class="notice">No sessions. One begins when the person signs in with a browser.</p>
          ) : (
            <NoSessions isFiltered={isFiltered} />
          )
        }
        rows={isOfOne ? 2 : 6}
      />
      {dialog}
    </>
  );
};

const path = '/console/sessions';

export const SessionListPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(path, query, ['principalId', 'sessionId', 'status']);
  const principal = usePrincipalFilter(applied.principalId);
  const principalIds = idsOf(principal);
  const sessionId = applied.sessionId.trim();
  const pages = usePages(
    principalIds === undefined
      ? undefined
      : listSessions(fromAddress({ principalIds, sessionId, status: applied.status, limit: 50 })),
  );
  return (
    <>
      <PageHeading title="Sessions" lead="People who signed in with a browser, and how they proved who they are." />
      <search class="filters three">
        <NameFilterField
          label="Person"
          by="Name, login or id"
          isSearch
          value={typed.principalId}
          onType={(value) => type('principalId', value)}
        />
        <FilterField label="Session id" value={typed.sessionId} onType={(value) => type('sessionId', value)} />
        <SelectFilter
          label="Status"
          value={typed.status}
          words={['ACTIVE', 'ENDED']}
          onChoose={(term) => type('status', term)}
        />
      </search>
      <NameFilterNotes allPath={path} noun="Sessions" typed={applied.principalId} filter={principal} kind="principal" />
      <ListByName filters={[{ typed: applied.principalId, filter: principal, noun: 'person' }]}>
        <SessionTable pages={pages} isFiltered={Object.values(applied).some((value) => value !== '')} />
      </ListByName>
    </>
  );
};
