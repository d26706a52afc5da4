import { type PrincipalEvent, principals } from '../../../domain/identity/principal/events';
import type { PrincipalId } from '../../../domain/identity/principal-id';
import { on, patch, projection, put } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { type PrincipalRow, principalsView } from './view';

/** Every event of a principal is a new revision of it, also where no other field changes. */
const change = ({ data, at }: Recorded<PrincipalEvent>, fields: Partial<PrincipalRow> = {}) =>
  patch<PrincipalRow>(
    { tenantId: at.tenantId, principalId: data.principalId as PrincipalId },
    { ...fields, revision: at.revision },
  );

export const principalsProjection = projection(principalsView, [
  on(principals, 'principal', {
    PrincipalRegistered: ({ data, at }) =>
      put<PrincipalRow>({
        principalId: data.principalId,
        principalType: data.principalType,
        status: 'ACTIVE',
        securityEpoch: 1,
        createdAt: data.createdAt,
        ...at,
      }),
    PrincipalSuspended: (recorded) => change(recorded, { status: 'SUSPENDED' }),
    PrincipalReactivated: (recorded) => change(recorded, { status: 'ACTIVE' }),
    SecurityEpochBumped: (recorded) => change(recorded, { securityEpoch: recorded.data.to }),
    CredentialIssued: (recorded) => change(recorded),
    CredentialRevoked: (recorded) => change(recorded),
  }),
]);
