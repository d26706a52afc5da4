/** Sign-in policy of a tenant: set as a whole, recorded as changes. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import { type TenantActRejection, type TenantActRight, unlessTenantAct } from '../tenant-act';
import { defaultRules, type LoosenedRespect, type SignInPolicyEvent, signInPolicies } from './events';
import { acceptedMethods, hasWayIn, methodsText, type SignInMethods } from './ways-in';

type Rules = Extract<SignInPolicyEvent, { type: 'SignInPolicySet' }>['data'];
export type Provider = Extract<SignInPolicyEvent, { type: 'ProviderSet' }>['data'];

export interface SignInPolicy {
  readonly rules: Rules;
  readonly providers: ReadonlyMap<string, Provider>;
}

export interface SetSignInPolicy {
  readonly type: 'SetSignInPolicy';
  readonly rules: Rules;
  /** An absent password stays unchanged. */
  readonly providers: readonly (Omit<Provider, 'password'> & { readonly password?: string | null | undefined })[];
  /** Required to loosen the policy. */
  readonly tenantAct: TenantActRight;
  /** Of the person who calls; null: a program. */
  readonly callerMethods: SignInMethods | null;
  /** Required to remove a sign-in method: people who have no other cannot sign in any more. */
  readonly confirmsRemovedMethods: boolean;
}

export type SignInPolicyRejection =
  | TenantActRejection
  | 'provider-twice'
  | 'no-way-in'
  | 'own-way-in'
  | 'removal-unconfirmed';

const isSameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Normalises the order of fields for comparison. */
const providerOf = (requested: SetSignInPolicy['providers'][number], current: Provider | undefined): Provider => {
  const { providerId, name, issuer, clientId, provisioning, password = current?.password ?? null } = requested;
  const [domains, mfaContexts] = [[...requested.domains], [...requested.mfaContexts]];
  return { providerId, name, issuer, clientId, provisioning, domains, mfaContexts, password };
};

const mfaRank: { readonly [rule in Rules['mfa']]: number } = { never: 0, enrolled: 1, required: 2 };

/** A new or changed provider can assert any identity, so it counts as loosening. */
const loosenedRespects = (
  next: Rules,
  changed: readonly Provider[],
  { rules }: SignInPolicy,
): readonly LoosenedRespect[] => [
  ...(mfaRank[next.mfa] < mfaRank[rules.mfa] ? ['mfa' as const] : []),
  ...(next.passwords && !rules.passwords ? ['passwords' as const] : []),
  ...(next.sessionSeconds > rules.sessionSeconds ? ['sessionSeconds' as const] : []),
  ...(changed.length > 0 ? ['providers' as const] : []),
];

const removedMethods = (next: Rules, gone: readonly Provider[], { rules }: SignInPolicy): readonly string[] => [
  ...(rules.passwords && !next.passwords ? ['passwords'] : []),
  ...(rules.passkeys && !next.passkeys ? ['passkeys'] : []),
  ...gone.map(({ name }) => `the provider ${name}`),
];

/** A caller who has no way in already, as after the recovery of an administrator, may change the policy. */
const refuseOwnLockout = (
  next: { readonly rules: Rules; readonly providers: readonly Provider[] },
  methods: SignInMethods,
  { rules, providers }: SignInPolicy,
): Either<Rejection<'own-way-in'>, never> | undefined => {
  const before = acceptedMethods({ rules, providers: providers.values() });
  if (!hasWayIn(before, methods) || hasWayIn(acceptedMethods(next), methods)) return undefined;
  return reject(
    'own-way-in',
    `You have ${methodsText(methods)}: by this policy you could not sign in again. Add a way that it allows to your account first.`,
  );
};

const decide = (
  { rules, providers, tenantAct, callerMethods, confirmsRemovedMethods }: SetSignInPolicy,
  state: SignInPolicy,
): Either<Rejection<SignInPolicyRejection>, readonly SignInPolicyEvent[]> => {
  const ids = new Set(providers.map(({ providerId }) => providerId));
  if (ids.size < providers.length) return reject('provider-twice', 'A provider is named twice.');
  if (!rules.passwords && !rules.passkeys && providers.length === 0)
    return reject('no-way-in', 'The policy leaves no sign-in method: allow passwords or passkeys, or name a provider.');
  const { mfa, passwords, passkeys, sessionSeconds } = rules;
  const next: Rules = { mfa, passwords, passkeys, sessionSeconds };
  const set = providers.map((requested) => providerOf(requested, state.providers.get(requested.providerId)));
  const changed = set.filter((one) => !isSameValue(one, state.providers.get(one.providerId)));
  const gone = [...state.providers.values()].filter(({ providerId }) => !ids.has(providerId));
  const respects = loosenedRespects(next, changed, state);
  const refused = respects.length === 0 ? undefined : unlessTenantAct(tenantAct);
  if (refused !== undefined) return refused;
  const ownLockout = callerMethods && refuseOwnLockout({ rules: next, providers: set }, callerMethods, state);
  if (ownLockout) return ownLockout;
  const removed = removedMethods(next, gone, state);
  if (removed.length > 0 && !confirmsRemovedMethods)
    return reject(
      'removal-unconfirmed',
      `The policy would no longer allow ${removed.join(', ')}. People with no other way could no longer sign in: send confirmsRemovedMethods to continue.`,
    );
  return right([
    ...(respects.length === 0 ? [] : [{ type: 'SignInPolicyLoosened' as const, data: { respects: [...respects] } }]),
    ...(isSameValue(next, state.rules) ? [] : [{ type: 'SignInPolicySet' as const, data: next }]),
    ...changed.map((data) => ({ type: 'ProviderSet' as const, data })),
    ...gone.map(({ providerId }) => ({ type: 'ProviderRemoved' as const, data: { providerId } })),
  ]);
};

const evolve = (state: SignInPolicy, event: SignInPolicyEvent): SignInPolicy => {
  switch (event.type) {
    case 'SignInPolicySet': {
      const { mfa, passwords, passkeys, sessionSeconds } = event.data;
      return { ...state, rules: { mfa, passwords, passkeys, sessionSeconds } };
    }
    case 'SignInPolicyLoosened':
      return state;
    case 'ProviderSet': {
      const provider = providerOf({ ...event.data, password: undefined }, event.data);
      return { ...state, providers: new Map(state.providers).set(provider.providerId, provider) };
    }
    case 'ProviderRemoved':
      return {
        ...state,
        providers: new Map([...state.providers].filter(([id]) => id !== event.data.providerId)),
      };
  }
};

export const signInPolicy: Decider<SetSignInPolicy, SignInPolicy, SignInPolicyEvent, SignInPolicyRejection> = {
  family: signInPolicies,
  initial: { rules: defaultRules, providers: new Map() },
  evolve,
  decide,
};
