/** One incident: the nine steps of its response with their times, and what its principal does to recover. */
import { closeIncident, getIncident } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { StatusBadge, type Tone } from '../../components/status-badge';
import { Timestamp } from '../../components/timestamp';
import { hasScope, isMe } from '../../kernel/permissions';
import { withQuery } from '../../kernel/router';
import { useResource } from '../../kernel/use-resource';
import { CopyableId } from '../../references/copyable-id';
import { Reference } from '../../references/reference';
import type { PageProps } from '../../shell/section';
import { incidentsPath } from '../fixed-paths';
import { Severity } from '../security-events/severity';
import { type ReasonedAction, useActions } from '../shared/action-dialog';
import { type DescriptionEntry, DescriptionList } from '../shared/display';
import type { Incident } from '../wire';
import { reachNames, statusTones, stepNames, subjectNames, titleOf } from './words';

type Step = Incident['steps'][number];

const closing = (incidentId: string): ReasonedAction => ({
  title: 'Close the incident?',
  text: 'What it ended stays ended, and nothing replaces it. A compromised principal can still recover.',
  act: 'Close incident',
  success: 'The incident was closed.',
  isDangerous: false,
  command: (reason) => closeIncident({ incidentId, body: { reason } }),
});

const stateOf = ({ result }: Step, status: Incident['status']): { readonly label: string; readonly tone: Tone } => {
  if (result === null) return { label: status === 'CLOSED' ? 'none' : 'not yet', tone: 'plain' };
  return result === 'done' ? { label: 'done', tone: 'good' } : { label: 'not needed', tone: 'plain' };
};

/** Since the incident was opened: it shows how fast access was dead. */
const elapsed = (from: string, to: string): string => {
  const milliseconds = Math.max(0, Date.parse(to) - Date.parse(from));
  if (milliseconds < 1_000) return `after ${milliseconds} ms`;
  return milliseconds < 60_000 ? `after ${(milliseconds / 1_000).toFixed(1)} s` : '';
};

const Timeline = ({ incident: { steps, openedAt, status } }: { readonly incident: Incident }) => (
  <section class="section">
    <h2>Response</h2>
    <ol class="stages" aria-label="Steps">
      {steps.map((step) => {
        const { label, tone } = stateOf(step, status);
        return (
          <li key={step.step} class="stage">
            <span class="stage-name">{stepNames[step.step]}</span>
            <StatusBadge tone={tone}>{label}</StatusBadge>
            <div class="stage-note">
              {step.detail}
              {step.takenAt !== null && (
                <div class="below">
                  <Timestamp at={step.takenAt} /> {elapsed(openedAt, step.takenAt)}
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  </section>
);

const IncidentFacts = ({ incident }: { readonly incident: Incident }) => {
  const { severity, status, subject, reach, principalId, grantId, jti, kid, note, drill } = incident;
  const facts: readonly DescriptionEntry[] = [
    [
      'Status',
      <StatusBadge key="status" tone={statusTones[status]}>
        {status.toLowerCase()}
      </StatusBadge>,
    ],
    ['Severity', <Severity key="severity" severity={severity} />],
    ['Found', drill ? 'A drill with a test principal' : subjectNames[subject]],
    ['What ended', reachNames[reach]],
    ...(principalId === null || drill
      ? []
      : [['Principal', <Reference key="who" kind="principal" id={principalId} />] as const]),
    ...(grantId === null || drill ? [] : [['Grant', <Reference key="grant" kind="grant" id={grantId} />] as const]),
    ...(jti === null
      ? []
      : [
          [
            'Token',
            <span key="jti" class="mono wraps">
              {jti}
            </span>,
          ] as const,
        ]),
    ...(kid === null
      ? []
      : [
          [
            'Signing key',
            <span key="kid" class="mono wraps">
              {kid}
            </span>,
          ] as const,
        ]),
    ...(note === null ? [] : [['Note', note] as const]),
    ['Opened', <Timestamp key="opened" at={incident.openedAt} />],
    ...(incident.closeReason === null ? [] : [['Closed because', incident.closeReason] as const]),
  ];
  return <DescriptionList facts={facts} />;
};

const recoverPath = (incidentId: string): string => withQuery('/sign-in/recover', { incident: incidentId });

/** What each kind of principal does to recover. */
const Recovery = ({ incident: { incidentId, principalId, drill, status } }: { readonly incident: Incident }) => {
  if (principalId === null || drill || status === 'RECOVERED' || status === 'OPEN') return null;
  return (
    <section class="section">
      <h2>Recovery</h2>
      <p>Nothing is reissued by itself. The principal recovers by a proof that is made after the incident:</p>
      <DescriptionList
        facts={[
          ['A person', 'Signs in with a passkey, or with a password and a second factor, and confirms the recovery.'],
          ['A pipeline', 'Sends a fresh credential of its platform to /v1/security/recover.'],
          ['An agent', 'Does the same, with a delegation that was made after the incident.'],
          [
            'Without a platform',
            'An administrator vouches for it by /v1/principals/…/recover, and gets its new secret once.',
          ],
        ]}
      />
      {isMe(principalId) && (
        <p>
          <a class="button primary" href={recoverPath(incidentId)}>
            Recover my access
          </a>
        </p>
      )}
    </section>
  );
};

/** While steps are missing. */
const reloadMilliseconds = 1_000;

export const IncidentPage = ({ params }: PageProps) => {
  const { incidentId = '' } = params;
  const incident = useResource(getIncident({ incidentId }), { everyMilliseconds: reloadMilliseconds });
  const { openDialog, dialog } = useActions(incident.reload);
  const known = incident.content;
  const isClosable =
    known !== undefined &&
    hasScope('tokens:revoke') &&
    (known.status === 'CONTAINED' || (known.status === 'OPEN' && known.reach === 'nothing'));
  const title = known === undefined ? 'Incident' : titleOf(known);
  return (
    <>
      <PageHeading
        title={title}
        trail={[{ label: 'Incidents', path: incidentsPath }]}
        lead={<CopyableId id={incidentId} of="the incident" />}
      >
        {isClosable && (
          <button type="button" class="button" onClick={() => openDialog(closing(incidentId))}>
            Close
          </button>
        )}
      </PageHeading>
      <AsyncContent source={incident} rows={6}>
        {(found) => (
          <>
            <IncidentFacts incident={found} />
            {found.reach !== 'nothing' && <Timeline incident={found} />}
            <Recovery incident={found} />
          </>
        )}
      </AsyncContent>
      {dialog}
    </>
  );
};
