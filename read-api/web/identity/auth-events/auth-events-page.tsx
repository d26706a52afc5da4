/** What gateways allowed and denied, for which caller and why. */
import { listAuthEvents } from '../../../../packages/client/src/operations';
import type { AuthEvent } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { ChoiceField } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { TimeField } from '../../components/time-field';
import { Timestamp } from '../../components/timestamp';
import { countOf } from '../../kernel/format';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { useResource } from '../../kernel/use-resource';
import { ListByName, NameFilterField } from '../../references/name-filter';
import { Reference } from '../../references/reference';
import { idsOf, usePrincipalFilter } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { authEventsPath } from '../fixed-paths';
import { reasonChoices, reasonText, resultChoices, whoseChoices } from './choices';

const Principal = ({ event: { principalId } }: { readonly event: AuthEvent }) =>
  principalId === null ? <span class="faint">Unknown</span> : <Reference kind="principal" id={principalId} isShort />;

const columns: readonly Column<AuthEvent>[] = [
  {
    title: 'Decision',
    show: (event) => {
      const { result, reason, sourceIp, timestamp } = event;
      const isAllowed = result === 'ALLOW';
      return (
        <>
          <StatusBadge tone={isAllowed ? 'good' : 'bad'}>{isAllowed ? 'Allowed' : 'Denied'}</StatusBadge>
          {reason !== undefined && <div class="below">{reasonText(reason)}</div>}
          <div class="below narrow dotted">
            <span>
              Caller: <Principal event={event} />
            </span>
            {sourceIp !== undefined && <span class="mono wraps">{sourceIp}</span>}
            <Timestamp at={timestamp} />
          </div>
        </>
      );
    },
  },
  {
    title: 'Caller',
    isWide: true,
    show: (event) => (
      <>
        <Principal event={event} />
        {event.sourceIp !== undefined && <div class="below mono wraps">{event.sourceIp}</div>}
      </>
    ),
  },
  {
    title: 'Token',
    show: ({ jti, audience, dpopThumbprint, certThumbprint }) => (
      <>
        {jti === null ? <span class="faint">None that is valid</span> : <span class="mono wraps">{jti}</span>}
        <div class="below">
          For {audience}
          {dpopThumbprint !== undefined && ', bound to a key'}
          {certThumbprint !== undefined && ', bound to a certificate'}
        </div>
      </>
    ),
  },
  { title: 'At', kind: 'tight', isWide: true, show: ({ timestamp }) => <Timestamp at={timestamp} /> },
];

/** A list with gaps must not look whole. */
const Dropped = ({ about }: { readonly about: string }) => {
  const { content } = useResource(listAuthEvents(fromAddress({ about, limit: 1 })));
  const { ALLOW: allowed, DENY: denied } = content?.dropped ?? { ALLOW: 0, DENY: 0 };
  return allowed + denied === 0 ? null : (
    <p class="notice">
      {countOf(allowed + denied, 'decision')} could not be recorded, {denied} of them to deny: their stores were not
      available, or too slow.
    </p>
  );
};

const everyMilliseconds = 5_000;
const filters = ['result', 'reason', 'principalId', 'jti', 'from', 'to', 'about'] as const;

export const AuthEventsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(authEventsPath, query, filters);
  const principal = usePrincipalFilter(applied.principalId);
  const principalIds = idsOf(principal);
  const { result, reason, from, to, about } = applied;
  const jti = applied.jti.trim();
  const pages = usePages(
    principalIds === undefined
      ? undefined
      : listAuthEvents(fromAddress({ principalIds, result, reason, jti, from, to, about, limit: 50 })),
    { everyMilliseconds },
  );
  const isFiltered = Object.values(applied).some((value) => value !== '');
  return (
    <>
      <PageHeading
        title="Authorization decisions"
        lead="Every request that a gateway allowed or denied by its token, a few seconds later, newest first."
      />
      <Dropped about={about} />
      <search class="filters three">
        <ChoiceField
          label="Result"
          value={typed.result}
          options={resultChoices}
          onChoose={(one) => type('result', one)}
        />
        <ChoiceField
          label="Reason"
          value={typed.reason}
          options={reasonChoices}
          onChoose={(one) => type('reason', one)}
        />
        <NameFilterField
          label="Principal"
          by="Name, login or id"
          value={typed.principalId}
          onType={(value) => type('principalId', value)}
        />
        <FilterField
          label="Token id (jti)"
          isSearch
          placeholder="Any"
          value={typed.jti}
          onType={(value) => type('jti', value)}
        />
        <TimeField label="From" value={typed.from} onType={(instant) => type('from', instant)} />
        <TimeField label="Until" value={typed.to} onType={(instant) => type('to', instant)} />
        <ChoiceField label="Whose" value={typed.about} options={whoseChoices} onChoose={(one) => type('about', one)} />
      </search>
      <ListByName filters={[{ typed: applied.principalId, filter: principal, noun: 'principal' }]}>
        <PagedTable
          pages={pages}
          label="Authorization decisions"
          one="decision"
          columns={columns}
          keyOf={({ eventId }) => eventId}
          empty={
            <EmptyState title={isFiltered ? 'No decision matches' : 'No decision is recorded yet'}>
              Requests that were allowed or denied by their token appear here within seconds.
            </EmptyState>
          }
        />
      </ListByName>
    </>
  );
};
