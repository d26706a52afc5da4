/** Ends sessions, grants and families of a principal when its security epoch rises, which their own streams do not record. */
import { type PrincipalEvent, principals } from '../../domain/identity/principal/events';
import { type ProjectionSource, streamsOf } from '../kernel/projection';
import type { RecordedEvent } from '../kernel/recorded-event';

type Ending = 'SecurityEpochBumped' | 'PrincipalSuspended' | 'PrincipalMarkedCompromised';
export type PrincipalEnding = RecordedEvent<Extract<PrincipalEvent, { readonly type: Ending }>>;

/**
 * Sessions end with every raised epoch; grants and families only if the event demands it. Suspension and compromise always end them; they are
 * listed because version 1 of the epoch event lacks the field.
 */
export const endOnPrincipalEpoch = <Allowed>(
  what: 'sessions' | 'grants',
  end: (recorded: PrincipalEnding) => readonly Allowed[],
): ProjectionSource<Allowed> =>
  streamsOf(principals, {
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
      'ServiceClientAuthorized',
      'TrustRuleAuthorized',
    ],
    SecurityEpochBumped: (recorded) => (what === 'sessions' || recorded.data.grants === 'ended' ? end(recorded) : []),
    PrincipalSuspended: end,
    PrincipalMarkedCompromised: end,
  });
