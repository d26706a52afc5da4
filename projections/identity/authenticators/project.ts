import { type AuthenticatorEvent, authenticators } from '../../../domain/identity/authenticators/events';
import type { Instant } from '../../../domain/kernel/codec';
import { projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type AuthenticatorRow, authenticatorsView } from './view';

type Kind = AuthenticatorRow['kind'];

const added = (
  { data, at }: RecordedEvent<AuthenticatorEvent>,
  kind: Kind,
  { id, addedAt }: { readonly id: string; readonly addedAt: Instant },
) => putRow<AuthenticatorRow>({ principalId: data.principalId, kind, authenticatorId: id, addedAt, ...at });

const removed = ({ data, at }: RecordedEvent<AuthenticatorEvent>, kind: Kind, id: string) =>
  removeRow<AuthenticatorRow>({ tenantId: at.tenantId, principalId: data.principalId, kind, authenticatorId: id });

export const authenticatorsProjection = projection(authenticatorsView, [
  streamsOf(authenticators, {
    ignored: [
      'RecoveryCodesIssued',
      'RecoveryCodeUsed',
      'PasskeyUsed',
      'ProfileSet',
      'PrincipalLabelled',
      'CredentialLabelled',
      'EnrolmentIssued',
      'EnrolmentUsed',
      'UpstreamLinked',
      'UpstreamUnlinked',
    ],
    PasswordSet: (recorded) => added(recorded, 'password', { id: 'password', addedAt: recorded.data.setAt }),
    PasswordRemoved: (recorded) => removed(recorded, 'password', 'password'),
    TotpEnrolled: (recorded) => added(recorded, 'totp', { id: 'totp', addedAt: recorded.data.enrolledAt }),
    TotpRemoved: (recorded) => removed(recorded, 'totp', 'totp'),
    PasskeyAdded: (recorded) =>
      added(recorded, 'passkey', { id: recorded.data.passkeyId, addedAt: recorded.data.addedAt }),
    PasskeyRemoved: (recorded) => removed(recorded, 'passkey', recorded.data.passkeyId),
  }),
]);
