import { registrationPolicies } from '../../../domain/identity/registration-policy/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import { type RegistrationPolicyRow, registrationPolicyView } from './view';

export const registrationPolicyProjection = projection(registrationPolicyView, [
  streamsOf(registrationPolicies, {
    ignored: ['RegistrationPolicyLoosened'],
    RegistrationPolicySet: ({ data, at }) => putRow<RegistrationPolicyRow>({ ...data, ...at }),
  }),
]);
