/** The rules in force, at the gateway and by the limiter's API. */
import { listRateLimitPolicies } from '../../../packages/client/src/operations';
import type { RateLimitPolicies, RateLimitRule } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { FilterField } from '../components/filter-field';
import { PageHeading } from '../components/page-heading';
import { StatusBadge } from '../components/status-badge';
import { type Column, Table } from '../components/table';
import { durationOf, numberOf } from '../kernel/format';
import { useFilterInput } from '../kernel/use-filter-input';
import { useResource } from '../kernel/use-resource';
import type { PageProps } from '../shell/section';
import { policiesPath } from './paths';
import { RateLimitTabs } from './rate-limit-tabs';

type Policy = RateLimitPolicies['items'][number];

const whileAway = { deny: 'refused', allow: 'admitted', local: 'counted by each process' } as const;

const conditionsOf = ({ match }: RateLimitRule): string =>
  Object.entries(match)
    .map(([dimension, values]) => `${dimension} ${values.join(', ')}`)
    .join('; ');

const Amount = ({ rule: { limit, unit, periodMilliseconds, burst } }: { readonly rule: RateLimitRule }) => (
  <>
    {numberOf(limit)} {unit.replaceAll('-', ' ')}
    {periodMilliseconds !== null && ` in ${durationOf(periodMilliseconds / 1_000)}`}
    {burst !== null && <div class="below">{numberOf(burst)} at once</div>}
  </>
);

const columns: readonly Column<RateLimitRule>[] = [
  {
    title: 'Rule',
    show: (rule) => (
      <>
        <span class="mono">{rule.name}</span> {rule.set !== 'defaults' && <StatusBadge>{rule.set}</StatusBadge>}{' '}
        {rule.strictness !== 'hard' && <StatusBadge tone="warn">{rule.strictness}</StatusBadge>}
        {conditionsOf(rule) !== '' && <div class="below">For {conditionsOf(rule)}</div>}
      </>
    ),
  },
  { title: 'Each', show: ({ by }) => (by.length === 0 ? 'All together' : by.join(' and ')) },
  { title: 'Allows', show: (rule) => <Amount rule={rule} /> },
  { title: 'Counted as', isWide: true, show: ({ algorithm }) => algorithm.replaceAll('-', ' ') },
  { title: 'If the store fails', isWide: true, show: ({ onStoreError }) => whileAway[onStoreError] },
];

const titles = { gateway: 'At the gateway', service: 'By the limiter’s API' } as const;

const Rules = ({
  policy: { enforcedBy, version, rules },
  wanted,
}: {
  readonly policy: Policy;
  readonly wanted: string;
}) => {
  const matching = rules.filter(({ name }) => name.includes(wanted));
  return (
    <section class="section">
      <div class="section-head">
        <h2>{titles[enforcedBy]}</h2>
        <span class="faint">Version {version}</span>
      </div>
      {matching.length === 0 ? (
        <p class="notice">No rule has this name.</p>
      ) : (
        <Table
          label={titles[enforcedBy]}
          rows={matching}
          columns={columns}
          keyOf={(rule) => `${rule.set} ${rule.name} ${conditionsOf(rule)}`}
        />
      )}
    </section>
  );
};

export const PoliciesPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(policiesPath, query, ['rule']);
  const policies = useResource(listRateLimitPolicies());
  return (
    <>
      <PageHeading title="Rate limits" lead="The rules in force. If several apply, the strictest one decides." />
      <RateLimitTabs current="Policies" />
      <search class="filters">
        <FilterField label="Rule" isSearch value={typed.rule} onType={(value) => type('rule', value)} />
      </search>
      <AsyncContent source={policies}>
        {({ items }) =>
          items.map((policy) => <Rules key={policy.enforcedBy} policy={policy} wanted={applied.rule.trim()} />)
        }
      </AsyncContent>
    </>
  );
};
