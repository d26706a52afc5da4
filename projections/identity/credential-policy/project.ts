import { type CredentialPolicyEvent, credentialPolicies } from '../../../domain/identity/credential-policy/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type CredentialPolicyRow, credentialPolicyView } from './view';

const set = ({ data, at }: RecordedEvent<CredentialPolicyEvent>) => putRow<CredentialPolicyRow>({ ...data, ...at });

export const credentialPolicyProjection = projection(credentialPolicyView, [
  streamsOf(credentialPolicies, { CredentialPolicySet: set, CredentialPolicyLoosened: set }),
]);
