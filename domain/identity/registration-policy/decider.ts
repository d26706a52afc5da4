/** Registration policy of a tenant, set as a whole. A tenant that has set none opens nothing. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import { listAudiences } from '../authorization/resource-indicators';
import { missingScopes, type Scope } from '../scopes';
import { type RegistrationPolicy, type RegistrationPolicyEvent, registrationPolicies } from './events';

export interface SetRegistrationPolicy extends RegistrationPolicy {
  readonly type: 'SetRegistrationPolicy';
  /** Audiences that tokens are issued for. */
  readonly knownAudiences: readonly string[];
  /** APIs of the tenant: opening the audience of one gives its scopes. */
  readonly apis: readonly OpenableApi[];
  /** Scopes that the caller can pass on. */
  readonly held: readonly string[];
}

export interface OpenableApi {
  readonly audience: string;
  readonly scopes: readonly { readonly name: Scope }[];
}

export type RegistrationPolicyRejection = 'registration-policy-invalid' | 'scope-not-held';

/** Scopes of the APIs whose audiences the policy opens. */
export const openedScopes = (
  { audiences }: Pick<RegistrationPolicy, 'audiences'>,
  apis: readonly OpenableApi[],
): readonly Scope[] =>
  apis.filter(({ audience }) => audiences.includes(audience)).flatMap(({ scopes }) => scopes.map(({ name }) => name));

const maxEntries = 100;

const decide = (
  { audiences, metadataHosts, knownAudiences, apis, held }: SetRegistrationPolicy,
  state: RegistrationPolicy,
): Either<Rejection<RegistrationPolicyRejection>, readonly RegistrationPolicyEvent[]> => {
  const data: RegistrationPolicy = {
    audiences: [...new Set(audiences)].sort(),
    metadataHosts: [...new Set(metadataHosts)].sort(),
  };
  if (missingScopes(data.audiences, knownAudiences).length > 0)
    return reject(
      'registration-policy-invalid',
      `audiences may contain only these: ${listAudiences(knownAudiences)}. AUDIENCES lists them.`,
    );
  if (data.audiences.length > maxEntries || data.metadataHosts.length > maxEntries)
    return reject('registration-policy-invalid', `audiences and metadataHosts have at most ${maxEntries} entries.`);
  if (JSON.stringify(data) === JSON.stringify(state)) return right([]);
  const opened: RegistrationPolicy = {
    audiences: data.audiences.filter((audience) => !state.audiences.includes(audience)),
    metadataHosts: data.metadataHosts.filter((host) => !state.metadataHosts.includes(host)),
  };
  const missing = missingScopes(openedScopes(opened, apis), held);
  if (missing.length > 0)
    return reject('scope-not-held', `audiences opens APIs with scopes that you cannot give: ${missing.join(', ')}.`);
  const isLoosened = opened.audiences.length + opened.metadataHosts.length > 0;
  return right([
    ...(isLoosened ? [{ type: 'RegistrationPolicyLoosened' as const, data: opened }] : []),
    { type: 'RegistrationPolicySet', data },
  ]);
};

export const registrationPolicy: Decider<
  SetRegistrationPolicy,
  RegistrationPolicy,
  RegistrationPolicyEvent,
  RegistrationPolicyRejection
> = {
  family: registrationPolicies,
  initial: { audiences: [], metadataHosts: [] },
  evolve: (state, { type, data: { audiences, metadataHosts } }) =>
    type === 'RegistrationPolicySet' ? { audiences, metadataHosts } : state,
  decide,
};

/** Whether the documents of that host are clients. `host` has the port where it is not 443. */
export const isMetadataHost = ({ metadataHosts }: RegistrationPolicy, host: string): boolean =>
  metadataHosts.includes('*') || metadataHosts.includes(host);
