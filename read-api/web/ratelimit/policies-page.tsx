/** The rules in force in words, at the gateway and by the limiter's API. */
import { listRateLimitPolicies } from '../../../packages/client/src/operations';
import type { RateLimitPolicies, RateLimitRule } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { FilterField } from '../components/filter-field';
import { PageHeading } from '../components/page-heading';
import { StatusBadge } from '../components/status-badge';
import { type Column, Table } from '../components/table';
import { useFilterInput } from '../kernel/use-filter-input';
import { useResource } from '../kernel/use-resource';
import type { PageProps } from '../shell/section';
import { ChangeRule } from './change-rule';
import { policiesPath } from './paths';
import { RateLimitTabs } from './rate-limit-tabs';
import { amountOf, countedFor, isFound, leniencyOf, protectedBy, whileStoreFails } from './rule-words';

type Policy = RateLimitPolicies['items'][number];

const columnsOf = (policy: Policy, wanted: string): readonly Column<RateLimitRule>[] => [
  {
    title: 'Allows',
    show: (rule) => (
      <>
        <strong>{amountOf(rule)}</strong> {countedFor(rule)}{' '}
        {rule.set !== 'defaults' && <StatusBadge>{rule.set}</StatusBadge>}
        {leniencyOf(rule) !== null && <div class="below">{leniencyOf(rule)}</div>}
        <div class="below mono">{rule.name}</div>
        <div class="below narrow">Protects {protectedBy(rule)}</div>
        <ChangeRule rule={rule} policy={policy} isOpen={rule.name === wanted} />
      </>
    ),
  },
  { title: 'Protects', isWide: true, show: protectedBy },
  { title: 'While Redis is down', isWide: true, show: ({ onStoreError }) => whileStoreFails[onStoreError] },
];

const titles = { gateway: 'At the gateway', service: 'By the limiter’s API' } as const;

const leads = {
  gateway: 'Every request to Septet is counted by these.',
  service: 'Your own services ask before each of their requests.',
} as const;

interface RulesProps {
  readonly policy: Policy;
  readonly wanted: string;
}

const Rules = ({ policy, wanted }: RulesProps) => {
  const { enforcedBy, version, rules } = policy;
  const matching = rules.filter((rule) => isFound(rule, wanted));
  return (
    <section class="section">
      <div class="section-head">
        <h2>{titles[enforcedBy]}</h2>
        <span class="faint">
          {leads[enforcedBy]} Version {version}
        </span>
      </div>
      {matching.length === 0 ? (
        <p class="notice">No rule matches.</p>
      ) : (
        <Table
          label={titles[enforcedBy]}
          rows={matching}
          columns={columnsOf(policy, wanted)}
          keyOf={(rule) => `${rule.set} ${rule.name} ${JSON.stringify(rule.match)}`}
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
      <PageHeading
        title="Rate limits"
        lead="The rules in force, where they come from, and how to change them. If several apply, the strictest one decides."
      />
      <RateLimitTabs current="Rules" />
      <search class="filters">
        <FilterField
          label="Rule"
          isSearch
          placeholder="Its name, or what it protects"
          value={typed.rule}
          onType={(value) => type('rule', value)}
        />
      </search>
      <AsyncContent source={policies}>
        {({ items }) =>
          items.map((policy) => <Rules key={policy.enforcedBy} policy={policy} wanted={applied.rule.trim()} />)
        }
      </AsyncContent>
    </>
  );
};
