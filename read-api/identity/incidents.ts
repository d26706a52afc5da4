/** GET /v1/security/incidents and /v1/security/incidents/:incidentId. */
import * as t from 'io-ts';
import { type ContainmentStep, containmentSteps, StepDetail, StepResult } from '../../domain/identity/incident/steps';
import { Instant, nullable, oneOf, record } from '../../domain/kernel/codec';
import { IncidentRow, incidentsView } from '../../projections/identity/incidents/view';
import { definedFields } from '../kernel/defined-fields';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';
import * as wire from './wire';

const scope = 'security:read';

const fields = answerFields(
  IncidentRow,
  'tokenBlocked',
  'grantRevoked',
  'epochRaised',
  'invalidationPublished',
  'gatewaysConfirmed',
  'capabilitiesSuspended',
  'alerted',
  'authenticationRequired',
);

/** The ninth step is taken by recovery; closing leaves it out for good. */
const IncidentStepName = oneOf('IncidentStepName', [...containmentSteps, 'issue-replacement']);

/** Result and time are null until the step is taken. */
const IncidentStep = record('IncidentStep', {
  step: IncidentStepName,
  result: nullable(StepResult),
  detail: nullable(StepDetail),
  takenAt: nullable(Instant),
});

const Incident = record('Incident', {
  ...fields,
  note: wire.EndReason,
  closeReason: wire.EndReason,
  /** All nine, in the order of the response. */
  steps: t.array(IncidentStep, 'IncidentSteps'),
});
type Incident = t.TypeOf<typeof Incident>;
type Step = t.TypeOf<typeof IncidentStep>;

const untaken = { result: null, detail: null, takenAt: null };

const lastStep = ({ recoveredAt, recoveryMethod }: IncidentRow): Step => ({
  step: 'issue-replacement',
  ...(recoveredAt === null
    ? untaken
    : {
        result: 'done',
        detail: `Recovered by ${(recoveryMethod ?? '').replaceAll('-', ' ')}: a replacement is issued.`,
        takenAt: recoveredAt,
      }),
});

const stepsOf = (row: IncidentRow): Step[] => {
  const records: { readonly [step in ContainmentStep]: IncidentRow['alerted'] } = {
    'block-token': row.tokenBlocked,
    'revoke-grant': row.grantRevoked,
    'raise-epoch': row.epochRaised,
    'publish-invalidation': row.invalidationPublished,
    'confirm-gateways': row.gatewaysConfirmed,
    'suspend-capabilities': row.capabilitiesSuspended,
    alert: row.alerted,
    'require-authentication': row.authenticationRequired,
  };
  return [...containmentSteps.map((step) => ({ step, ...(records[step] ?? untaken) })), lastStep(row)];
};

const responseFields = Object.keys(fields);

const show = (row: IncidentRow): Incident =>
  ({
    ...Object.fromEntries(
      responseFields.map((field) => [field, (row as { readonly [field: string]: unknown })[field]]),
    ),
    steps: stepsOf(row),
  }) as Incident;

const { severity, status, principalId, incidentId } = fields;

export const listIncidents = pageRoute({
  path: '/v1/security/incidents',
  operation: 'listIncidents',
  summary: 'List incidents, newest first',
  scopes: [scope],
  params: record('NoParams', {}),
  item: Incident,
  view: incidentsView,
  filters: { severity, status, principalId },
  order: [
    { field: 'openedAt', direction: 'desc' },
    { field: 'incidentId', direction: 'desc' },
  ],
  rows: (_params, equal) => ({ where: definedFields(equal) }),
  show,
});

export const getIncident = oneRoute({
  path: '/v1/security/incidents/:incidentId',
  operation: 'getIncident',
  summary: 'Get an incident with the nine steps of its response',
  scopes: [scope],
  params: record('IncidentParams', { incidentId }),
  item: Incident,
  query: (key) => ({ view: incidentsView, key, missing: 'No such incident is known here.', show }),
});
