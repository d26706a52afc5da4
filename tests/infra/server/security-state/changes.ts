/** Changes of the security state as tests make them. */
import type { SecurityChange } from '../../../../infra/ports/identity/security-state';
import { retainSince } from '../../../../infra/server/security-state/retention';
import type { RevocableClaims } from '../../../../packages/resource-server/src/revocation/revocation-checker';

export const start = 1_750_000_000_000;

export const change = (fields: Partial<SecurityChange> & Pick<SecurityChange, 'kind'>): SecurityChange => ({
  tenantId: 'acme',
  subject: '',
  minimum: 0,
  sequence: 1n,
  at: start,
  until: retainSince(fields.at ?? start),
  ...fields,
});

export const claims = (changes: Partial<RevocableClaims> = {}): RevocableClaims => ({
  tenant_id: 'acme',
  sub: 'p-1',
  jti: 'j-1',
  iat: start / 1000,
  security_epoch: 1,
  client_id: 'acme~app',
  gid: 'g-1',
  sid: 's-1',
  ...changes,
});
