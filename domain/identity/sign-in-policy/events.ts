/** Sign-in policy of a tenant. */

import * as t from 'io-ts';
import { integer, nameText, nullable, oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { idOf } from '../../kernel/ids';
import { secret } from '../../kernel/secret';

/** `enrolled`: required of people who have a second factor. */
const MfaRule = oneOf('MfaRule', ['never', 'enrolled', 'required']);

export const ProviderId = idOf('ProviderId');
export type ProviderId = t.TypeOf<typeof ProviderId>;

/** A value of the `acr` claim (OpenID Connect Core, section 2). */
const AuthenticationContext = text('AuthenticationContext', {
  maxLength: 256,
  examples: ['https://refeds.org/profile/mfa'],
});

const Domain = text('Domain', { maxLength: 253, pattern: '[a-z0-9.-]+', examples: ['example.org'] });

export const policyFields = {
  mfa: MfaRule,
  passwords: t.boolean,
  passkeys: t.boolean,
  /** Maximum session lifetime. */
  sessionSeconds: integer(300, 30 * 86_400),
};

/** Until a tenant sets its own. */
export const defaultRules = { mfa: 'enrolled', passwords: true, passkeys: true, sessionSeconds: 12 * 3_600 } as const;

export const providerFields = {
  providerId: ProviderId,
  /** Label of the button. */
  name: nameText('ProviderName', { maxLength: 60, examples: ['Example Ltd'] }),
  issuer: text('Issuer', { content: 'address', maxLength: 2_048, examples: ['https://login.example.org'] }),
  clientId: text('UpstreamClientId', { maxLength: 256 }),
  /** `on`: the first sign-in provisions a person. */
  provisioning: oneOf('Provisioning', ['off', 'on']),
  /** Allowed domains of verified addresses for provisioning; empty: any. */
  domains: t.array(Domain, 'Domains'),
  /** Values of `acr` that assert several factors; `amr` needs no configuration. */
  mfaContexts: t.array(AuthenticationContext, 'AuthenticationContexts'),
};

const Respect = oneOf('LoosenedRespect', ['mfa', 'passwords', 'sessionSeconds', 'providers']);
export type LoosenedRespect = t.TypeOf<typeof Respect>;

export const signInPolicies = aggregate(
  { context: 'identity', name: 'signInPolicy' },
  {
    SignInPolicySet: { v: 1, data: policyFields },
    /** The policy was loosened in these respects; a separate event for monitoring. */
    SignInPolicyLoosened: { v: 1, data: { respects: t.array(Respect, 'Respects') } },
    /** The client secret is sealed under a key of the provider id. */
    ProviderSet: {
      v: 2,
      data: {
        ...providerFields,
        password: secret(nullable(text('UpstreamPassword', { content: 'any', maxLength: 512 })), 'providerId'),
      },
      from: { 1: (old: object) => ({ ...old, mfaContexts: [] }) },
    },
    ProviderRemoved: { v: 1, data: { providerId: ProviderId } },
  },
);
export type SignInPolicyEvent = typeof signInPolicies.Event;

export const signInPolicyStream = (tenant: TenantId): string => signInPolicies.stream(tenant, 'policy');
