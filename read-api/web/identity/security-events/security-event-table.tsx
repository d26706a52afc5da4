/** Table of security events, one line each; a row opens in place and leads to the event's cause. */
import { EmptyState } from '../../components/empty-state';
import { JsonView } from '../../components/json-view';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import type { Liveness } from '../../kernel/event-stream';
import { countOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import type { Pages } from '../../kernel/use-pages';
import { findPath } from '../../platform/paths';
import { Actor, Reference, useName } from '../../references/reference';
import { ActingFor } from '../shared/acting-for';
import { DescriptionList } from '../shared/display';
import type { SecurityEvent } from '../wire';
import { Severity } from './severity';
import { summaryPartsOf, withClientName } from './summary';

interface PrincipalProps extends Pick<SecurityEvent, 'principalId'> {
  readonly isShort?: boolean;
}

const PrincipalLink = ({ principalId, isShort = false }: PrincipalProps) =>
  principalId === null ? (
    <span class="faint">—</span>
  ) : (
    <Reference kind="principal" id={principalId} isShort={isShort} />
  );

const ClientLink = ({ clientId }: Pick<SecurityEvent, 'clientId'>) =>
  clientId === null ? <span class="faint">—</span> : <Reference kind="client" id={clientId} />;

/** The scopes open where they stand in the sentence. */
export const Summary = ({ event }: { readonly event: SecurityEvent }) => {
  const client = useName('client', event.clientId ?? '');
  const { before, scopes, after } = summaryPartsOf(withClientName(event, client));
  if (scopes.length === 0) return <>{before}</>;
  return (
    <details class="scope-count">
      <summary>
        {before}
        <span class="count">{countOf(scopes.length, 'scope')}</span>
        {after}
      </summary>
      <span class="tags">
        {scopes.map((scope) => (
          <StatusBadge key={scope}>{scope}</StatusBadge>
        ))}
      </span>
    </details>
  );
};

const ByWhom = ({ actor, details }: Pick<SecurityEvent, 'actor' | 'details'>) => (
  <>
    <Actor actor={actor} />
    <ActingFor details={details} />
  </>
);

/** `isOfOne`: in a list of one principal's events, which need not name it. */
const whatColumn = (isOfOne: boolean): Column<SecurityEvent> => ({
  title: 'Event',
  show: (event) => (
    <>
      {event.severity !== null && <Severity severity={event.severity} />} <Summary event={event} />
      <div class="below narrow dotted">
        {!isOfOne && event.principalId !== null && <PrincipalLink principalId={event.principalId} isShort />}
        {(isOfOne || event.actor !== event.principalId) && (
          <span>
            by <Actor actor={event.actor} />
            <ActingFor details={event.details} />
          </span>
        )}
        <Timestamp at={event.timestamp} />
      </div>
    </>
  ),
});

const principalColumn: Column<SecurityEvent> = {
  title: 'Principal',
  isWide: true,
  show: ({ principalId }) => <PrincipalLink principalId={principalId} isShort />,
};

const otherColumns: readonly Column<SecurityEvent>[] = [
  { title: 'By', isWide: true, show: ByWhom },
  { title: 'At', kind: 'tight', isWide: true, show: ({ timestamp }) => <Timestamp at={timestamp} /> },
];

const InPlace = ({ event }: { readonly event: SecurityEvent }) => {
  const { eventId, principalId, clientId, actor, position, type, details } = event;
  return (
    <>
      <DescriptionList
        facts={[
          [
            'Type',
            <span key="type" class="mono">
              {type}
            </span>,
          ],
          ['Principal', <PrincipalLink key="principal" principalId={principalId} />],
          ['Client', <ClientLink key="client" clientId={clientId} />],
          ['By', <ByWhom key="by" actor={actor} details={details} />],
          [
            'Position in the log',
            <span key="position" class="mono">
              {position}
            </span>,
          ],
        ]}
      />
      <section class="section">
        <JsonView value={details} label="Details" />
      </section>
      {hasScope('platform:read') && (
        <p class="more">
          <a href={findPath(eventId)}>Cause and stream</a>
        </p>
      )}
    </>
  );
};

const details = {
  label: ({ type, summary }: SecurityEvent) => `${type}: ${summary}`,
  show: (event: SecurityEvent) => <InPlace event={event} />,
};

interface Props {
  readonly pages: Pages<SecurityEvent>;
  readonly isOfOne?: boolean;
}

export const SecurityEventTable = ({ pages, isOfOne = false }: Props) => (
  <PagedTable
    pages={pages}
    label="Security events"
    one="event"
    columns={[whatColumn(isOfOne), ...(isOfOne ? [] : [principalColumn]), ...otherColumns]}
    keyOf={({ eventId }) => eventId}
    empty={<EmptyState title="No security event matches">New ones appear here as they are recorded.</EmptyState>}
    details={details}
    toneOf={({ severity }) => (severity === 'SEV-1' ? 'bad' : undefined)}
  />
);

const stateNames = { connecting: 'Connecting', live: 'Live', waiting: 'Connecting again' } as const;

export const TailState = ({ state }: { readonly state: Liveness | undefined }) => {
  const tone = state?.kind === 'live' ? 'good' : 'warn';
  return (
    <div class="live-state" role="status">
      <span class={state === undefined ? 'pulse' : `pulse ${tone}`} />
      {state === undefined ? 'Not live' : stateNames[state.kind]}
    </div>
  );
};
