/** How a tenant lets its people sign in. */
import * as t from 'io-ts';
import { integer, nullable, oneOf, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { idOf } from '../../kernel/ids';
import { secret } from '../../kernel/secret';

/** `enrolled`: of whoever has set a second factor up. */
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
  /** A session ends then, however much it is used. */
  sessionSeconds: integer(300, 30 * 86_400),
};

export const providerFields = {
  providerId: ProviderId,
  /** As the button says it. */
  name: text('ProviderName', { maxLength: 60, examples: ['Example Ltd'] }),
  issuer: text('Issuer', { maxLength: 2_048, examples: ['https://login.example.org'] }),
  clientId: text('UpstreamClientId', { maxLength: 256 }),
  /** `on`: who signs in there for the first time becomes a person here. */
  provisioning: oneOf('Provisioning', ['off', 'on']),
  /** Of which verified addresses have to be, where somebody is provisioned; any when empty. */
  domains: t.array(Domain, 'Domains'),
  /** By which values of `acr` it says that the person proved themselves by several factors; `amr` is understood without. */
  mfaContexts: t.array(AuthenticationContext, 'AuthenticationContexts'),
};

const Respect = oneOf('LoosenedRespect', ['mfa', 'passwords', 'sessionSeconds', 'providers']);
export type LoosenedRespect = t.TypeOf<typeof Respect>;

export const signInPolicies = family('identity', {
  SignInPolicySet: { v: 1, data: policyFields },
  /** Beside the change itself: it lets people in more easily than before, in these respects. */
  SignInPolicyLoosened: { v: 1, data: { respects: t.array(Respect, 'Respects') } },
  /** The client's password there is sealed under a key of the provider's id. */
  ProviderSet: {
    v: 2,
    data: { ...providerFields, password: secret(nullable(text('UpstreamPassword', { maxLength: 512 })), 'providerId') },
    from: { 1: (old: object) => ({ ...old, mfaContexts: [] }) },
  },
  ProviderRemoved: { v: 1, data: { providerId: ProviderId } },
});
export type SignInPolicyEvent = typeof signInPolicies.Event;
