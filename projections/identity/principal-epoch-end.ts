/** What a principal has open ends with its security epoch, although no event of the ended stream says so. */
import { type PrincipalEvent, principals } from '../../domain/identity/principal/events';
import { on, type Source } from '../kernel/projection';
import type { Recorded } from '../kernel/recorded';

type Ending = 'SecurityEpochBumped' | 'PrincipalSuspended' | 'PrincipalMarkedCompromised';
export type PrincipalEnding = Recorded<Extract<PrincipalEvent, { readonly type: Ending }>>;

/**
 * Sessions end with every raised epoch. Grants and their refresh tokens end where the event says so; suspension and compromise always
 * end them, and say so themselves because epochs of version 1 do not.
 */
export const endOnPrincipalEpoch = <Allowed>(
  what: 'sessions' | 'grants',
  end: (recorded: PrincipalEnding) => readonly Allowed[],
): Source<Allowed> =>
  on(principals, 'principal', {
    ignored: [
      'PrincipalRegistered',
      'PrincipalReactivated',
      'PrincipalRecovered',
      'AdministratorRecovered',
      'RolesGranted',
      'RolesWithdrawn',
      'ScopesGranted',
      'ScopesWithdrawn',
      'CredentialIssued',
      'CredentialRevoked',
    ],
    SecurityEpochBumped: (recorded) => (what === 'sessions' || recorded.data.grants === 'ended' ? end(recorded) : []),
    PrincipalSuspended: end,
    PrincipalMarkedCompromised: end,
  });
