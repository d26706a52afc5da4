/** Detection: alerts, and the rules that raise them. */
import { useState } from 'preact/hooks';
import { listAlerts, listDetectionRules } from '../../../../packages/client/src/operations';
import type { KnownAlert, KnownDetectionRule } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { ChoiceField, type Option } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { durationOf } from '../../kernel/format';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { useResource } from '../../kernel/use-resource';
import { Reference } from '../../references/reference';
import type { PageProps } from '../../shell/section';
import { reasonText } from '../auth-events/choices';
import { authEventsPath, detectionPath } from '../fixed-paths';
import { Severity, severities } from '../security-events/severity';
import { RowButton } from '../shared/action-dialog';
import { RuleDialog } from './rule-dialog';
import { ruleTexts } from './rule-texts';

const alertColumns: readonly Column<KnownAlert>[] = [
  {
    title: 'Alert',
    show: ({ rule, severity, principalId, reason, decidedAt }) => (
      <>
        <Severity severity={severity} /> {ruleTexts[rule].name}
        {reason !== null && <div class="below">{reasonText(reason)}</div>}
        <div class="below narrow dotted">
          <Reference kind="principal" id={principalId} isShort />
          <Timestamp at={decidedAt} />
        </div>
      </>
    ),
  },
  {
    title: 'Principal',
    isWide: true,
    show: ({ principalId }) => <Reference kind="principal" id={principalId} isShort />,
  },
  {
    title: 'Found',
    isWide: true,
    show: ({ count, threshold, windowSeconds, workloadId }) => (
      <>
        {count} of {threshold} in {durationOf(windowSeconds)}
        {workloadId !== null && <div class="below mono wraps">{workloadId}</div>}
      </>
    ),
  },
  {
    title: 'Decisions',
    show: ({ jti }) =>
      jti === null ? (
        <span class="faint">—</span>
      ) : (
        <a href={`${authEventsPath}?jti=${encodeURIComponent(jti)}`}>Of the token</a>
      ),
  },
  { title: 'At', kind: 'tight', isWide: true, show: ({ decidedAt }) => <Timestamp at={decidedAt} /> },
];

const severityOptions: readonly Option<string>[] = [
  { value: '', label: 'Any' },
  ...severities.map((value) => ({ value, label: value })),
];

const everyMilliseconds = 5_000;

const Alerts = ({ query }: Pick<PageProps, 'query'>) => {
  const { applied, typed, type } = useFilterInput(detectionPath, query, ['severity'] as const);
  const pages = usePages(listAlerts(fromAddress({ severity: applied.severity, limit: 20 })), { everyMilliseconds });
  return (
    <section class="section">
      <h2>Alerts</h2>
      <search class="filters">
        <ChoiceField
          label="Severity"
          value={typed.severity}
          options={severityOptions}
          onChoose={(severity) => type('severity', severity)}
        />
      </search>
      <PagedTable
        pages={pages}
        label="Alerts"
        one="alert"
        columns={alertColumns}
        keyOf={({ alertId }) => alertId}
        empty={
          <EmptyState title="No alerts">
            What a rule finds appears here within seconds, once an hour at most.
          </EmptyState>
        }
        toneOf={({ severity }) => (severity === 'SEV-1' ? 'bad' : undefined)}
        rows={3}
      />
    </section>
  );
};

const ruleColumns = (open: (known: KnownDetectionRule) => void): readonly Column<KnownDetectionRule>[] => [
  {
    title: 'Rule',
    show: ({ rule }) => (
      <>
        {ruleTexts[rule].name}
        <div class="below">{ruleTexts[rule].text}</div>
      </>
    ),
  },
  {
    title: 'Alert at',
    show: ({ settings: { isOn, threshold, windowSeconds, opensIncident } }) =>
      isOn ? (
        <>
          {threshold} in {durationOf(windowSeconds)}
          {opensIncident && <div class="below">opens an incident</div>}
        </>
      ) : (
        <StatusBadge tone="warn">off</StatusBadge>
      ),
  },
  {
    title: 'Actions',
    kind: 'tight',
    show: (known) => <RowButton label="Settings" what={ruleTexts[known.rule].name} onPress={() => open(known)} />,
  },
];

export const DetectionPage = ({ query }: PageProps) => {
  const rules = useResource(listDetectionRules({}));
  const [opened, setOpened] = useState<KnownDetectionRule>();
  return (
    <>
      <PageHeading
        title="Detection"
        lead={
          <>
            What <a href={authEventsPath}>authorization decisions</a> show together: stolen tokens, programs in the
            wrong place, agents beyond their task. Networks (/24, /48) stand for places.
          </>
        }
      />
      <Alerts query={query} />
      <section class="section">
        <h2>Rules</h2>
        <AsyncContent source={rules} rows={6}>
          {({ items }) => (
            <Table label="Rules" rows={items} columns={ruleColumns(setOpened)} keyOf={({ rule }) => rule} />
          )}
        </AsyncContent>
      </section>
      {opened !== undefined && <RuleDialog known={opened} onDone={rules.reload} close={() => setOpened(undefined)} />}
    </>
  );
};
