/** The claims of an access token (RFC 9068), with those of the specification. */
import { wholeSeconds } from '../../../domain/kernel/instant';
import { authenticationClaims } from './authentication-claims';
import { confirmationOf } from './binding';
import type { Birth, TokenOrder } from './order';
import type { Claims } from './sign-token';

const confirmed = ({ binding }: TokenOrder): Claims => (binding === null ? {} : { cnf: confirmationOf(binding) });
const under = ({ grantId, sessionId }: TokenOrder): Claims => ({
  ...(grantId === null ? {} : { gid: grantId }),
  ...(sessionId === null ? {} : { sid: sessionId }),
});

export const accessTokenClaims = (issuer: string, order: TokenOrder, birth: Birth): Claims => ({
  iss: issuer,
  sub: order.principalId,
  aud: order.audience,
  exp: wholeSeconds(birth.expiresAt),
  iat: wholeSeconds(birth.issuedAt),
  jti: birth.jti,
  tenant_id: order.tenantId,
  principal_type: order.principalType,
  scopes: order.scopes,
  scope: order.scopes.join(' '),
  security_epoch: order.securityEpoch,
  client_id: order.clientId,
  ...confirmed(order),
  ...under(order),
  ...authenticationClaims(order.authentication),
});
