import { type PrincipalEvent, principals } from '../../../domain/identity/principal/events';
import type { PrincipalId } from '../../../domain/identity/principal-id';
import { on, patch, projection, put } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { type EpochRow, epochsView } from './view';

const change = ({ data, at }: Recorded<PrincipalEvent>, fields: Partial<EpochRow>) =>
  patch<EpochRow>(
    { tenantId: at.tenantId, principalId: data.principalId as PrincipalId },
    { ...fields, revision: at.revision },
  );

export const epochsProjection = projection(epochsView, [
  on(principals, 'principal', {
    PrincipalRegistered: ({ data, at }) =>
      put<EpochRow>({ principalId: data.principalId, securityEpoch: 1, status: 'ACTIVE', ...at }),
    PrincipalSuspended: (recorded) => change(recorded, { status: 'SUSPENDED' }),
    PrincipalReactivated: (recorded) => change(recorded, { status: 'ACTIVE' }),
    SecurityEpochBumped: (recorded) => change(recorded, { securityEpoch: recorded.data.to }),
    CredentialIssued: () => [],
    CredentialRevoked: () => [],
  }),
]);
