/** Names of the streams that revoke more than one aggregate's own. */
import type { Instant } from '../kernel/codec';
import { streamName, TenantId } from '../kernel/ids';
import { hourOf } from '../kernel/instant';

const named = (aggregate: string, tenant: TenantId, id: string): string =>
  streamName({ context: 'identity', aggregate, tenant, id });

const shards = 16;

/** Spread, so that each stays short enough to fold, and that denials at once seldom meet. */
const shardOf = (jti: string): string =>
  ([...jti].reduce((sum, character) => sum + (character.codePointAt(0) as number), 0) % shards).toString(16);

/** By the hour in which the token expires: what is older than that concerns nobody. */
export const denialStream = (tenant: TenantId, { jti, expiresAt }: { jti: string; expiresAt: Instant }): string =>
  named('denials', tenant, `${hourOf(expiresAt)}-${shardOf(jti)}`);

export const tenantSecurityStream = (tenant: TenantId): string => named('tenantSecurity', tenant, 'epochs');

const platform = 'platform';
if (!TenantId.is(platform)) throw new Error('the platform has no valid name');

/** Told apart by its id: a tenant may be called like the platform, and must raise its own floor only. */
const everyone = 'everyone';
export const everyoneSecurityStream = named('tenantSecurity', platform, everyone);
