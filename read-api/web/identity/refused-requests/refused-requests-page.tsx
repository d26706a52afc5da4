/** Requests that were refused in the last day and why: found by request id, by whose they were, and by reason. */
import { listRefusedRequests } from '../../../../packages/client/src/operations';
import type { RefusedRequest } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { ChoiceField } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { countOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { ListByName, NameFilterField } from '../../references/name-filter';
import { Reference } from '../../references/reference';
import { idsOf, useClientFilter, usePrincipalFilter } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { refusedRequestsPath } from '../paths';
import { isOwnClient } from '../shared/own-client';
import { reasonChoices, whoseChoices } from './choices';

const Caller = ({ refused }: { readonly refused: RefusedRequest }) => {
  const { principalId, clientId, isProven } = refused;
  if (principalId === null && clientId === null) return <span class="faint">Unknown</span>;
  return (
    <>
      {principalId !== null && <Reference kind="principal" id={principalId} isShort />}
      {clientId !== null && !isOwnClient(refused) && (
        <div class={principalId === null ? undefined : 'below'}>
          {principalId === null ? '' : 'By '}
          <Reference kind="client" id={clientId} isShort />
        </div>
      )}
      {!isProven && <div class="below">Named, not proven</div>}
    </>
  );
};

const columns: readonly Column<RefusedRequest>[] = [
  {
    title: 'Why',
    show: (refused) => {
      const { reason, code, status, unlisted, at } = refused;
      return (
        <>
          {reason}
          <div class="below">
            <StatusBadge>{`${status} ${code}`}</StatusBadge>
            {unlisted > 0 && ` and ${countOf(unlisted, 'request')} like it before`}
          </div>
          <div class="below narrow dotted">
            <span>
              Caller: <Caller refused={refused} />
            </span>
            <Timestamp at={at} />
          </div>
        </>
      );
    },
  },
  { title: 'Caller', isWide: true, show: (refused) => <Caller refused={refused} /> },
  {
    title: 'Request',
    show: ({ method, route, requestId }) => (
      <>
        <span class="mono wraps">
          {method} {route}
        </span>
        <div class="below mono wraps">{requestId}</div>
      </>
    ),
  },
  { title: 'At', kind: 'tight', isWide: true, show: ({ at }) => <Timestamp at={at} /> },
];

interface EmptyProps {
  readonly requestId: string;
  readonly isFiltered: boolean;
}

const Empty = ({ requestId, isFiltered }: EmptyProps) =>
  requestId === '' ? (
    <EmptyState title={isFiltered ? 'No refused request matches' : 'No request was refused in the last day'}>
      Requests that were answered 401, 403 or 429 appear here within seconds, and stay for a day.
    </EmptyState>
  ) : (
    <EmptyState title="No refused request has this id">
      It may be older than a day, of another tenant, or one of many that were alike. Its line is in the log of the
      gateway.
    </EmptyState>
  );

const everyMilliseconds = 3_000;
const filters = ['requestId', 'principalId', 'clientId', 'code', 'about'] as const;

export const RefusedRequestsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(refusedRequestsPath, query, filters);
  const principal = usePrincipalFilter(applied.principalId);
  const client = useClientFilter(applied.clientId);
  const [principalIds, clientIds] = [idsOf(principal), idsOf(client)];
  const { code, about } = applied;
  const requestId = applied.requestId.trim();
  const pages = usePages(
    principalIds === undefined || clientIds === undefined
      ? undefined
      : listRefusedRequests(fromAddress({ requestId, principalIds, clientIds, code, about, limit: 50 })),
    { everyMilliseconds },
  );
  return (
    <>
      <PageHeading
        title="Refused requests"
        lead="Who was refused in the last day, and why. Callers find the request id in the headers of the answer."
      />
      <search class="filters three">
        <FilterField
          label="Request id"
          isSearch
          placeholder="Any"
          value={typed.requestId}
          onType={(value) => type('requestId', value)}
        />
        <NameFilterField
          label="Principal"
          by="Name, login or id"
          value={typed.principalId}
          onType={(value) => type('principalId', value)}
        />
        <NameFilterField
          label="Client"
          by="Name or id"
          value={typed.clientId}
          onType={(value) => type('clientId', value)}
        />
        <ChoiceField label="Reason" value={typed.code} options={reasonChoices} onChoose={(one) => type('code', one)} />
        <ChoiceField
          label="Whose requests"
          value={typed.about}
          options={whoseChoices}
          onChoose={(one) => type('about', one)}
        />
      </search>
      {code === 'rate_limited' && hasScope('ratelimit:read') && (
        <p class="notice">
          <a href="/console/rate-limits/refusals">Refusals by rate limits</a> has how many there were, and the rules.
        </p>
      )}
      <ListByName
        filters={[
          { typed: applied.principalId, filter: principal, noun: 'principal' },
          { typed: applied.clientId, filter: client, noun: 'client' },
        ]}
      >
        <PagedTable
          pages={pages}
          label="Refused requests"
          one="request"
          columns={columns}
          keyOf={({ id, requestId: ofRequest }) => `${id} ${ofRequest}`}
          empty={<Empty requestId={requestId} isFiltered={Object.values(applied).some((value) => value !== '')} />}
        />
      </ListByName>
    </>
  );
};
