/** Credential policy of a tenant: maximum lifetime, and principal types without static credentials. */

import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { integer } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { PrincipalType } from '../ids';

const aDay = 86_400;

export const credentialPolicyFields = {
  /** Maximum lifetime of new credentials in seconds. */
  maximumSeconds: integer(3_600, 3_660 * aDay),
  /** These principal types have no credentials longer than an hour. */
  forbiddenFor: t.array(PrincipalType, 'ForbiddenPrincipalTypes'),
};

export const credentialPolicies = aggregate(
  { context: 'identity', name: 'credentialPolicy' },
  {
    CredentialPolicySet: { v: 1, data: credentialPolicyFields },
    /** The policy was loosened; a separate event for monitoring. */
    CredentialPolicyLoosened: { v: 1, data: credentialPolicyFields },
  },
);
export type CredentialPolicyEvent = typeof credentialPolicies.Event;
export type CredentialPolicy = TypeOf<t.TypeC<typeof credentialPolicyFields>>;

/** Until a tenant sets its own. */
export const defaultCredentialPolicy: CredentialPolicy = { maximumSeconds: 366 * aDay, forbiddenFor: [] };

export const credentialPolicyStream = (tenant: TenantId): string => credentialPolicies.stream(tenant, 'policy');
