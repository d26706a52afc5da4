/** Who was refused by which limit, in the last day. */
import { listRateLimitRefusals } from '../../../packages/client/src/operations';
import type { RateLimitRefusals } from '../../../packages/client/src/schemas';
import { EmptyState } from '../components/empty-state';
import { FilterField } from '../components/filter-field';
import { ChoiceField, type Option } from '../components/form-fields';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { refusedRequestsOf } from '../identity/paths';
import { isOwnClient } from '../identity/shared/own-client';
import { durationOf, numberOf } from '../kernel/format';
import { fromAddress, useFilterInput } from '../kernel/use-filter-input';
import { usePages } from '../kernel/use-pages';
import { Reference } from '../references/reference';
import type { PageProps } from '../shell/section';
import { refusalsPath, rulePath, strangersPath } from './paths';
import { RateLimitTabs } from './rate-limit-tabs';
import { reasonOf } from './refusal-words';
import { groupOf } from './rule-words';

const Who = ({ refusal: { principalId, clientId, enforcedBy } }: { readonly refusal: RateLimitRefusals }) => (
  <>
    {principalId === null && clientId === null && (
      <span class="faint">{enforcedBy === 'service' ? 'A caller of your service' : 'A caller without a token'}</span>
    )}
    {principalId !== null && <Reference kind="principal" id={principalId} isShort />}
    {clientId !== null && !isOwnClient({ principalId, clientId }) && (
      <div class={principalId === null ? undefined : 'below'}>
        {principalId === null ? '' : 'By '}
        <Reference kind="client" id={clientId} isShort />
      </div>
    )}
  </>
);

export const refusalColumns: readonly Column<RateLimitRefusals>[] = [
  {
    title: 'Why',
    show: ({ rules, reason, group, retryAfterSeconds, at }) => (
      <>
        {reasonOf({ reason })}{' '}
        {rules.map((rule) => (
          <span key={rule}>
            <a class="mono" href={rulePath(rule)}>
              {rule}
            </a>{' '}
          </span>
        ))}
        <div class="below">
          {group === null ? '' : `The limit is for ${groupOf(group)}. `}
          {retryAfterSeconds > 0 ? `May try again after ${durationOf(retryAfterSeconds)}.` : ''}
        </div>
        {rules[0] !== undefined && (
          <div class="below">
            <a href={rulePath(rules[0])}>Where the rule comes from, and how to change it</a>
          </div>
        )}
        <div class="below narrow">
          <Timestamp at={at} />
        </div>
      </>
    ),
  },
  { title: 'Caller', show: (refusal) => <Who refusal={refusal} /> },
  { title: 'Refused', kind: 'number', show: ({ refusals }) => numberOf(refusals) },
  {
    title: 'By',
    isWide: true,
    show: ({ enforcedBy, requestId }) => (
      <>
        {enforcedBy === 'gateway' ? 'Gateway' : 'Limiter'}
        {requestId !== null && <div class="below mono">{requestId}</div>}
      </>
    ),
  },
  { title: 'At', kind: 'tight', isWide: true, show: ({ at }) => <Timestamp at={at} /> },
];

const limitedRequestsPath = refusedRequestsOf({ code: 'rate_limited' });

const whose: readonly Option<string>[] = [
  { value: '', label: 'This tenant' },
  { value: 'strangers', label: 'Not signed in (operators)' },
];

interface NoRefusalsProps {
  readonly isOfStrangers: boolean;
  readonly isOfOne: boolean;
}

const NoRefusals = ({ isOfStrangers, isOfOne }: NoRefusalsProps) =>
  isOfStrangers ? (
    <EmptyState title="No caller without a token was refused in the last day">
      Refusals appear here within seconds. Those of callers who are known are under{' '}
      <a href={refusalsPath}>This tenant</a>.
    </EmptyState>
  ) : (
    <EmptyState
      title={isOfOne ? 'No refusal matches' : 'No caller of this tenant was refused by a limit in the last day'}
    >
      Refusals appear here within seconds. Operators find callers without a token under{' '}
      <a href={strangersPath}>Not signed in</a>. <a href={limitedRequestsPath}>Refused requests</a> also names clients
      that did not prove who they are.
    </EmptyState>
  );

const everyMilliseconds = 3_000;

export const RefusalsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(refusalsPath, query, ['principalId', 'about']);
  const wanted = { principalId: applied.principalId.trim(), about: applied.about };
  const pages = usePages(listRateLimitRefusals(fromAddress({ ...wanted, limit: 50 })), { everyMilliseconds });
  return (
    <>
      <PageHeading title="Rate limits" lead="Requests refused in the last day, and the rules that refused them." />
      <RateLimitTabs current="Refusals" />
      <search class="filters">
        <FilterField
          label="Principal"
          isSearch
          placeholder="Anyone"
          value={typed.principalId}
          onType={(value) => type('principalId', value)}
        />
        <ChoiceField
          label="Whose requests"
          value={typed.about}
          options={whose}
          onChoose={(about) => type('about', about)}
        />
      </search>
      <PagedTable
        pages={pages}
        label="Refusals"
        one="entry"
        many="entries"
        columns={refusalColumns}
        keyOf={({ id }) => id}
        empty={<NoRefusals isOfStrangers={applied.about === 'strangers'} isOfOne={wanted.principalId !== ''} />}
      />
    </>
  );
};
