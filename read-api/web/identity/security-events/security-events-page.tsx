/** Everything that touched access, by type, severity, principal, client, actor and time, followed as it is recorded. */
import { FilterField } from '../../components/filter-field';
import { ChoiceField, type Option } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { useFilterInput } from '../../kernel/use-filter-input';
import type { PageProps } from '../../shell/section';
import { SecurityEventTable, TailState } from './security-event-table';
import { TimeField } from './time-field';
import { useSecurityEvents } from './use-security-events';

const filters = ['type', 'severity', 'principalId', 'clientId', 'actor', 'from', 'to'] as const;

const severities: readonly Option<string>[] = [
  { value: '', label: 'Any' },
  ...['SEV-1', 'SEV-2', 'SEV-3'].map((severity) => ({ value: severity, label: severity })),
];

export const SecurityEventsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput('/console/security-events', query, filters);
  const { pages, state } = useSecurityEvents(applied);
  const known = [...new Set(pages.items?.map((event) => event.type))].sort();
  const field = (label: string, name: (typeof filters)[number], placeholder: string) => (
    <FilterField
      label={label}
      placeholder={placeholder}
      value={typed[name]}
      onType={(value) => type(name, value.trim())}
    />
  );
  return (
    <>
      <PageHeading title="Security events" lead="Everything that affected access, newest first.">
        <TailState state={state} />
      </PageHeading>
      <search class="filters quarters">
        <FilterField
          label="Type"
          isSearch
          placeholder="Any"
          value={typed.type}
          onType={(value) => type('type', value.trim())}
          suggestions={known}
        />
        <ChoiceField
          label="Severity"
          value={typed.severity}
          options={severities}
          onChoose={(severity) => type('severity', severity)}
        />
        <TimeField label="From" value={typed.from} onType={(instant) => type('from', instant)} />
        <TimeField label="Until" value={typed.to} onType={(instant) => type('to', instant)} />
      </search>
      <search class="filters three" aria-label="About">
        {field('Principal', 'principalId', 'Anyone')}
        {field('Client id', 'clientId', 'Any')}
        {field('By', 'actor', 'Anyone')}
      </search>
      <SecurityEventTable pages={pages} />
    </>
  );
};
