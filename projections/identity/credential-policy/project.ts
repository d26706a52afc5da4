import { type CredentialPolicyEvent, credentialPolicies } from '../../../domain/identity/credential-policy/events';
import { on, projection, put } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { type CredentialPolicyRow, credentialPolicyView } from './view';

const set = ({ data, at }: Recorded<CredentialPolicyEvent>) => put<CredentialPolicyRow>({ ...data, ...at });

export const credentialPolicyProjection = projection(credentialPolicyView, [
  on(credentialPolicies, 'credentialPolicy', { CredentialPolicySet: set, CredentialPolicyLoosened: set }),
]);
