/** Sign-in policy: one row of rules and one per provider. Client secrets stay encrypted. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { policyFields, providerFields } from '../../../domain/identity/sign-in-policy/events';
import { integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export { defaultRules } from '../../../domain/identity/sign-in-policy/events';

export const SignInRules = record('SignInRules', policyFields);
export const KnownProvider = record('KnownSignInProvider', { ...providerFields, hasPassword: t.boolean });

export const SignInSettingRow = record('SignInSettingRow', {
  tenantId: TenantId,
  kind: oneOf('SignInSettingKind', ['rules', 'provider']),
  /** Provider id; the rules have one row. */
  name: text('SignInSettingName', { maxLength: 128 }),
  rules: nullable(SignInRules),
  provider: nullable(KnownProvider),
  revision: integer(0),
});
export type SignInSettingRow = TypeOf<typeof SignInSettingRow>;

export const signInSettingsView: TableView<SignInSettingRow> = table({
  name: 'identity_sign_in_settings',
  version: 2,
  row: SignInSettingRow,
  key: ['tenantId', 'kind', 'name'],
});
