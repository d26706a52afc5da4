/** Names of the streams around people who sign in. What they are claimed by is never in a name, only a keyed hash of it. */

import type { PrincipalId } from '../kernel/ids';
import { streamName, type TenantId } from '../kernel/ids';

const named =
  <Id extends string>(aggregate: string) =>
  (tenant: TenantId, id: Id) =>
    streamName({ context: 'identity', aggregate, tenant, id });

export const authenticatorsStream = named<PrincipalId>('authenticators');

/** Of a login, of a passkey, of an account elsewhere: each leads to one person of the tenant. */
export const claimStreams = {
  login: named<string>('login'),
  passkey: named<string>('passkey'),
  upstream: named<string>('upstream'),
} as const;
export type ClaimKind = keyof typeof claimStreams;

export const credentialPolicyStream = (tenant: TenantId): string =>
  streamName({ context: 'identity', aggregate: 'credentialPolicy', tenant, id: 'policy' });

export const signInPolicyStream = (tenant: TenantId): string =>
  streamName({ context: 'identity', aggregate: 'signInPolicy', tenant, id: 'policy' });
