/** A caller as revocations name it. */
import type { RevocableClaims } from '../../../../packages/resource-server/src/verification/index';
import type { Identity } from '../routing/route';

const secondsOf = (milliseconds: number | undefined): number => Math.floor((milliseconds ?? 0) / 1000);

export const optional = <Name extends string>(name: Name, value: string | undefined) =>
  value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]: string });

/** Of unknown age means of any age: what revokes the old revokes it, too. */
export const revocableOf = (identity: Identity): RevocableClaims => ({
  tenant_id: identity.tenantId,
  sub: identity.principalId,
  jti: identity.tokenId,
  iat: secondsOf(identity.issuedAt),
  security_epoch: identity.securityEpoch ?? 0,
  ...optional('client_id', identity.clientId),
  ...optional('gid', identity.grantId),
  ...optional('sid', identity.sessionId),
});
