/** Incidents, with their response so far. */
import { useState } from 'preact/hooks';
import { listIncidents, startDrill } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { navigate } from '../../kernel/router';
import { useCommand } from '../../kernel/use-command';
import { usePages } from '../../kernel/use-pages';
import { Reference } from '../../references/reference';
import { incidentPath } from '../paths';
import { Severity } from '../security-events/severity';
import type { Incident } from '../wire';
import { ReportIncident } from './report-incident';
import { reachNames, statusTones, titleOf } from './words';

const stepsTaken = ({ steps }: Incident): number => steps.filter(({ takenAt }) => takenAt !== null).length;

const columns: readonly Column<Incident>[] = [
  {
    title: 'Incident',
    show: (incident) => (
      <span class="reference row-name">
        <a href={incidentPath(incident.incidentId)}>{titleOf(incident)}</a>
        <span class="below">
          <Timestamp at={incident.openedAt} />
        </span>
      </span>
    ),
  },
  { title: 'Severity', show: ({ severity }) => <Severity severity={severity} /> },
  {
    title: 'Whose',
    show: ({ principalId, reach, drill }) =>
      principalId === null || drill ? (
        <span>{drill ? 'A test principal' : reachNames[reach]}</span>
      ) : (
        <Reference kind="principal" id={principalId} isShort />
      ),
  },
  {
    title: 'Status',
    show: ({ status }) => <StatusBadge tone={statusTones[status]}>{status.toLowerCase()}</StatusBadge>,
  },
  {
    title: 'Steps',
    isWide: true,
    show: (incident) => (incident.reach === 'nothing' ? 'Only noted' : `${stepsTaken(incident)} of 9`),
  },
];

export const IncidentListPage = () => {
  const pages = usePages(listIncidents({ limit: 50 }));
  const [isReporting, setReporting] = useState(false);
  const send = useCommand();
  const openPage = (incidentId: string): void => navigate(incidentPath(incidentId));
  const drill = async (): Promise<void> => {
    const answer = await send(startDrill({}));
    if (answer.ok) openPage(answer.content.incidentId);
  };
  const canOpen = hasScope('tokens:revoke');
  return (
    <>
      <PageHeading
        title="Incidents"
        lead="Suspicions that access is in wrong hands, what ended because of them, and who has recovered."
      >
        {canOpen && (
          <button type="button" class="button" onClick={() => void drill()}>
            Start a drill
          </button>
        )}
        {canOpen && (
          <button type="button" class="button danger" onClick={() => setReporting(true)}>
            Report an incident
          </button>
        )}
      </PageHeading>
      <PagedTable
        pages={pages}
        label="Incidents"
        one="incident"
        columns={columns}
        keyOf={({ incidentId }) => incidentId}
        empty={
          <EmptyState title="No incidents">
            One is opened for every refresh token that is used twice, every compromised principal and every revoked key,
            and by whoever reports one here.
          </EmptyState>
        }
        rows={4}
      />
      {isReporting && (
        <ReportIncident onDone={({ incidentId }) => openPage(incidentId)} close={() => setReporting(false)} />
      )}
    </>
  );
};
