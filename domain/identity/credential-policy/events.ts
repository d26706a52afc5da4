/** How long credentials of a tenant's principals may last, and for which types of principal there are none. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { integer } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalType } from '../ids';

const aDay = 86_400;

export const credentialPolicyFields = {
  /** Seconds; a new credential ends at most so long after it was made. */
  maximumSeconds: integer(3_600, 3_660 * aDay),
  /** Principals of these types have no static credential: none that is made to last longer than an hour. */
  forbiddenFor: t.array(PrincipalType, 'ForbiddenPrincipalTypes'),
};

export const credentialPolicies = family('identity', {
  CredentialPolicySet: { v: 1, data: credentialPolicyFields },
  /** The policy allows what it did not before; recorded apart, so that it can be watched for. */
  CredentialPolicyLoosened: { v: 1, data: credentialPolicyFields },
});
export type CredentialPolicyEvent = typeof credentialPolicies.Event;
export type CredentialPolicy = TypeOf<t.TypeC<typeof credentialPolicyFields>>;
