/** Everything that touched access, by severity, type, principal, client, actor and time, followed as it is recorded. */
import { FilterField } from '../../components/filter-field';
import { ChoiceField, type Option } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { TimeField } from '../../components/time-field';
import { useFilterInput } from '../../kernel/use-filter-input';
import { ListByName, NameFilterField } from '../../references/name-filter';
import { idsOf, useActorFilter, useClientFilter, usePrincipalFilter } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { authEventsPath } from '../fixed-paths';
import { RecentAlarms, securityEventsPath } from './recent-alarms';
import { SecurityEventTable, TailState } from './security-event-table';
import { severities, severityMeaning } from './severity';
import { useSecurityEvents } from './use-security-events';

const filters = [
  'type',
  'severity',
  'result',
  'jti',
  'principalId',
  'clientId',
  'actor',
  'from',
  'to',
  'about',
] as const;

const results: readonly Option<string>[] = [
  { value: '', label: 'Any' },
  { value: 'ALLOW', label: 'Accepted credentials' },
  { value: 'DENY', label: 'Refused credentials' },
];

const whose: readonly Option<string>[] = [
  { value: '', label: 'This tenant' },
  { value: 'platform', label: 'The platform: signing keys (operators)' },
];

interface SeverityChoiceProps {
  readonly chosen: string;
  readonly onChoose: (severity: string) => void;
}

const SeverityChoice = ({ chosen, onChoose }: SeverityChoiceProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a row of buttons is no fieldset.
  <div class="field" role="group" aria-label="Severity">
    <span aria-hidden="true">Severity</span>
    <div class="choices">
      {['', ...severities].map((severity) => (
        <button
          key={severity}
          type="button"
          class="button"
          aria-pressed={severity === chosen}
          {...(severity === '' ? {} : { title: severityMeaning(severity) })}
          onClick={() => onChoose(severity)}
        >
          {severity === '' ? 'All' : severity}
        </button>
      ))}
    </div>
  </div>
);

export const SecurityEventsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(securityEventsPath, query, filters);
  const principal = usePrincipalFilter(applied.principalId);
  const client = useClientFilter(applied.clientId);
  const actor = useActorFilter(applied.actor);
  const { type: eventType, severity, result, from, to, about } = applied;
  const jti = applied.jti.trim();
  const { pages, state } = useSecurityEvents({
    principalIds: idsOf(principal),
    clientIds: idsOf(client),
    actors: idsOf(actor),
    type: eventType,
    severity,
    result,
    jti,
    from,
    to,
    about,
  });
  const known = [...new Set(pages.items?.map((event) => event.type))].sort();
  const nameField = (label: string, name: 'principalId' | 'clientId' | 'actor', by: string) => (
    <NameFilterField label={label} by={by} value={typed[name]} onType={(value) => type(name, value)} />
  );
  const isNarrowed = filters.some((name) => !['severity', 'type'].includes(name) && applied[name] !== '');
  return (
    <>
      <PageHeading
        title="Security events"
        lead={
          <>
            Everything that affected access, newest first. What gateways allowed and denied is under{' '}
            <a href={authEventsPath}>Authorization decisions</a>.
          </>
        }
      >
        <TailState state={state} />
      </PageHeading>
      {applied.severity === '' && <RecentAlarms about={applied.about} />}
      <search class="filters with-choices">
        <FilterField
          label="Type"
          isSearch
          placeholder="Any"
          value={typed.type}
          onType={(value) => type('type', value.trim())}
          suggestions={known}
        />
        <SeverityChoice chosen={typed.severity} onChoose={(severity) => type('severity', severity)} />
      </search>
      <details class="more-filters" open={isNarrowed}>
        <summary>Filter by time, principal, client or token</summary>
        <search class="filters three" aria-label="Time, principal, client and token">
          <ChoiceField label="Whose" value={typed.about} options={whose} onChoose={(about) => type('about', about)} />
          <TimeField label="From" value={typed.from} onType={(instant) => type('from', instant)} />
          <TimeField label="Until" value={typed.to} onType={(instant) => type('to', instant)} />
          {nameField('Principal', 'principalId', 'Name, login or id')}
          {nameField('Client', 'clientId', 'Name or id')}
          {nameField('By', 'actor', 'Name, login or id')}
          <ChoiceField label="Result" value={typed.result} options={results} onChoose={(one) => type('result', one)} />
          <FilterField
            label="Token id (jti)"
            isSearch
            placeholder="Any"
            value={typed.jti}
            onType={(value) => type('jti', value)}
          />
        </search>
      </details>
      <ListByName
        filters={[
          { typed: applied.principalId, filter: principal, noun: 'principal' },
          { typed: applied.clientId, filter: client, noun: 'client' },
          { typed: applied.actor, filter: actor, noun: 'principal' },
        ]}
      >
        <SecurityEventTable pages={pages} />
      </ListByName>
    </>
  );
};
