import { signInPolicies } from '../../../domain/identity/sign-in-policy/events';
import { on, projection, put, remove } from '../../kernel/projection';
import { type SignInSettingRow, signInSettingsView } from './view';

export const signInSettingsProjection = projection(signInSettingsView, [
  on(signInPolicies, 'signInPolicy', {
    ignored: ['SignInPolicyLoosened'],
    SignInPolicySet: ({ data: rules, at }) =>
      put<SignInSettingRow>({ kind: 'rules', name: 'rules', rules, provider: null, ...at }),
    ProviderSet: ({ data: { password, ...known }, at }) => {
      // Encrypted and erased passwords exist; null does not.
      const provider = { ...known, hasPassword: password !== null };
      return put<SignInSettingRow>({ kind: 'provider', name: known.providerId, rules: null, provider, ...at });
    },
    ProviderRemoved: ({ data: { providerId }, at }) =>
      remove<SignInSettingRow>({ tenantId: at.tenantId, kind: 'provider', name: providerId }),
  }),
]);
