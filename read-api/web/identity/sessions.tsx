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
import { Reference } from '../references/reference';
import { streamOf } from '../references/targets';
import type { PageProps } from '../shell/section';
import { type ReasonedAction, RowButton, useActions } from './shared/action-dialog';
import { isOver, SelectFilter, Status, TagList } from './shared/display';
import type { Session } from './wire';

/** A distinctive prefix. */
const short = (sessionId: string): string => sessionId.slice(0, 12);

const SessionLinks = ({ sessionId }: Pick<Session, 'sessionId'>) => (
  <div class="below links">
    {hasScope('grants:read') && <a href={withQuery('/console/grants', { sessionId })}>Grants</a>}
    {hasScope('platform:read') && (
      <a href={streamPath(streamOf('identity', 'session', { tenantId: ownTenant(), id: sessionId }))}>Events</a>
    )}
  </div>
);

const baseColumns: readonly Column<Session>[] = [
  {
    title: 'Session',
    show: ({ sessionId, openedAt, reason }) => (
      <>
        <span class="mono" title={sessionId}>
          {short(sessionId)}
        </span>
        <SessionLinks sessionId={sessionId} />
        <div class="below narrow">
          <Timestamp at={openedAt} />
        </div>
        {reason !== null && <div class="below">{reason}</div>}
      </>
    ),
  },
  { title: 'Status', show: ({ status, expiresAt }) => <Status status={status} expiresAt={expiresAt} /> },
  { title: 'Signed in by', isWide: true, show: ({ methods }) => <TagList words={methods} /> },
  { title: 'Signed in', kind: 'tight', isWide: true, show: ({ openedAt }) => <Timestamp at={openedAt} /> },
  {
    title: 'Until',
    kind: 'tight',
    isWide: true,
    show: ({ endedAt, expiresAt }) => <Timestamp at={endedAt ?? expiresAt} />,
  },
];

const principalColumn: Column<Session> = {
  title: 'Principal',
  show: ({ principalId }) => <Reference kind="principal" id={principalId} />,
};

const ending = ({ sessionId }: Session): ReasonedAction => ({
  title: 'End the session?',
  text: 'The browser is signed out, and tokens of the session are refused at once.',
  act: 'End session',
  success: 'The session was ended.',
  isDangerous: true,
  command: (reason) => endSession({ sessionId, body: { reason } }),
});

const actionColumn = (openDialog: (action: ReasonedAction) => void): Column<Session> => ({
  title: 'Actions',
  kind: 'tight',
  show: (session) =>
    session.status === 'ACTIVE' && !isOver(session.expiresAt) ? (
      <RowButton
        label="End"
        what={`session ${short(session.sessionId)}`}
        isDangerous
        onPress={() => openDialog(ending(session))}
      />
    ) : null,
});

interface TableProps {
  readonly pages: Pages<Session>;
  readonly isOfOne?: boolean;
}

export const SessionTable = ({ pages, isOfOne = false }: TableProps) => {
  const { openDialog, dialog } = useActions(pages.reload);
  const own = isOfOne ? baseColumns : [...baseColumns.slice(0, 1), principalColumn, ...baseColumns.slice(1)];
  const columns = [...own, ...(hasScope('sessions:write') ? [actionColumn(openDialog)] : [])];
  return (
    <>
      <PagedTable
        pages={pages}
        label="Sessions"
        one="session"
        columns={columns}
        keyOf={({ sessionId }) => sessionId}
        empty={isOfOne ? <p class="notice">No session.</p> : <EmptyState title="No session matches" />}
        rows={isOfOne ? 2 : 6}
      />
      {dialog}
    </>
  );
};

export const SessionListPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput('/console/sessions', query, ['principalId', 'sessionId', 'status']);
  const principalId = applied.principalId.trim();
  const sessionId = applied.sessionId.trim();
  const pages = usePages(listSessions(fromAddress({ principalId, sessionId, status: applied.status, limit: 50 })));
  return (
    <>
      <PageHeading title="Sessions" lead="People who signed in with a browser, and how they proved who they are." />
      <search class="filters three">
        <FilterField
          label="Principal id"
          isSearch
          placeholder="Anyone"
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
      <SessionTable pages={pages} />
    </>
  );
};
