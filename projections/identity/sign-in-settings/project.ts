import { signInPolicies } from '../../../domain/identity/sign-in-policy/events';
import { projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import { type SignInSettingRow, signInSettingsView } from './view';

export const signInSettingsProjection = projection(signInSettingsView, [
  streamsOf(signInPolicies, {
    ignored: ['SignInPolicyLoosened'],
    SignInPolicySet: ({ data: rules, at }) =>
      putRow<SignInSettingRow>({ kind: 'rules', name: 'rules', rules, provider: null, ...at }),
    ProviderSet: ({ data: { password, ...known }, at }) => {
      // Encrypted and erased passwords exist; null does not.
      const provider = { ...known, hasPassword: password !== null };
      return putRow<SignInSettingRow>({ kind: 'provider', name: known.providerId, rules: null, provider, ...at });
    },
    ProviderRemoved: ({ data: { providerId }, at }) =>
      removeRow<SignInSettingRow>({ tenantId: at.tenantId, kind: 'provider', name: providerId }),
  }),
]);
