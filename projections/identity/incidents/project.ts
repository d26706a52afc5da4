import { incidents } from '../../../domain/identity/incident/events';
import { type ContainmentStep, containmentSteps } from '../../../domain/identity/incident/steps';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import { type IncidentRow, incidentsView } from './view';

type StepField =
  | 'tokenBlocked'
  | 'grantRevoked'
  | 'epochRaised'
  | 'invalidationPublished'
  | 'gatewaysConfirmed'
  | 'capabilitiesSuspended'
  | 'alerted'
  | 'authenticationRequired';

const fieldOf: { readonly [step in ContainmentStep]: StepField } = {
  'block-token': 'tokenBlocked',
  'revoke-grant': 'grantRevoked',
  'raise-epoch': 'epochRaised',
  'publish-invalidation': 'invalidationPublished',
  'confirm-gateways': 'gatewaysConfirmed',
  'suspend-capabilities': 'capabilitiesSuspended',
  alert: 'alerted',
  'require-authentication': 'authenticationRequired',
};

const untaken = {
  tokenBlocked: null,
  grantRevoked: null,
  epochRaised: null,
  invalidationPublished: null,
  gatewaysConfirmed: null,
  capabilitiesSuspended: null,
  alerted: null,
  authenticationRequired: null,
};

export const incidentsProjection = projection(incidentsView, [
  streamsOf(incidents, {
    IncidentOpened: ({ data, at }) => {
      const { epochTo: _, jtiExpiresAt: __, ...fields } = data;
      const open = {
        status: 'OPEN',
        recoveredAt: null,
        recoveryMethod: null,
        closedAt: null,
        closeReason: null,
      } as const;
      return putRow<IncidentRow>({ ...fields, ...untaken, ...open, ...at });
    },
    ContainmentStepTaken: ({ data, at }) => {
      const { incidentId, step, result, detail, takenAt } = data;
      const isLast = step === containmentSteps.at(-1);
      return patchRow<IncidentRow>(
        { tenantId: at.tenantId, incidentId },
        {
          [fieldOf[step]]: { result, detail, takenAt },
          ...(isLast ? { status: 'CONTAINED' as const } : {}),
          revision: at.revision,
        },
      );
    },
    IncidentRecovered: ({ data, at }) => {
      const { incidentId, recoveredAt, method: recoveryMethod } = data;
      const row = { status: 'RECOVERED', recoveredAt, recoveryMethod, revision: at.revision } as const;
      return patchRow<IncidentRow>({ tenantId: at.tenantId, incidentId }, row);
    },
    IncidentClosed: ({ data, at }) => {
      const { incidentId, closedAt, reason: closeReason } = data;
      const row = { status: 'CLOSED', closedAt, closeReason, revision: at.revision } as const;
      return patchRow<IncidentRow>({ tenantId: at.tenantId, incidentId }, row);
    },
  }),
]);
