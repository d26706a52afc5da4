/** Credential policy of a tenant, set as a whole. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { plusSeconds } from '../../kernel/instant';
import type { Rejection } from '../../kernel/rejection';
import type { PrincipalType } from '../ids';
import { type TenantActRejection, type TenantActRight, unlessTenantAct } from '../tenant-act';
import {
  type CredentialPolicy,
  type CredentialPolicyEvent,
  credentialPolicies,
  defaultCredentialPolicy,
} from './events';

export interface SetCredentialPolicy extends CredentialPolicy {
  readonly type: 'SetCredentialPolicy';
  /** Required to loosen the policy. */
  readonly tenantAct: TenantActRight;
}

const aDay = 86_400;

/** Default lifetime of a credential. */
export const defaultCredentialSeconds = 90 * aDay;

/** Credentials up to this lifetime do not count as static; break-glass creates one. */
const shortSeconds = 3_600;

interface Life {
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
}

const lastsBeyond = ({ createdAt, expiresAt }: Life, seconds: number): boolean =>
  expiresAt === null || expiresAt > plusSeconds(createdAt, seconds);

export const isTooLong = ({ maximumSeconds }: CredentialPolicy, life: Life): boolean =>
  lastsBeyond(life, maximumSeconds);

export const isForbidden = ({ forbiddenFor }: CredentialPolicy, type: PrincipalType, life: Life): boolean =>
  forbiddenFor.includes(type) && lastsBeyond(life, shortSeconds);

const decide = (
  { maximumSeconds, forbiddenFor, tenantAct }: SetCredentialPolicy,
  state: CredentialPolicy,
): Either<Rejection<TenantActRejection>, readonly CredentialPolicyEvent[]> => {
  const data: CredentialPolicy = { maximumSeconds, forbiddenFor: [...new Set(forbiddenFor)].sort() };
  const allowsMore =
    maximumSeconds > state.maximumSeconds || state.forbiddenFor.some((type) => !data.forbiddenFor.includes(type));
  if (!allowsMore && JSON.stringify(data) === JSON.stringify(state)) return right([]);
  if (!allowsMore) return right([{ type: 'CredentialPolicySet', data }]);
  return unlessTenantAct(tenantAct) ?? right([{ type: 'CredentialPolicyLoosened', data }]);
};

export const credentialPolicy: Decider<
  SetCredentialPolicy,
  CredentialPolicy,
  CredentialPolicyEvent,
  TenantActRejection
> = {
  family: credentialPolicies,
  initial: defaultCredentialPolicy,
  evolve: (_, { data: { maximumSeconds, forbiddenFor } }) => ({ maximumSeconds, forbiddenFor }),
  decide,
};
