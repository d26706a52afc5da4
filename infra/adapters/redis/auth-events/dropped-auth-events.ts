/** How many AuthEvents of a tenant found no room. */
import type { AuthEventReader } from '../../../ports/identity/auth-events';
import type { RedisConnection } from '../connection';
import { droppedField, droppedKey } from './lanes';
import { attempt } from './outcome';

export const readDropped =
  (redis: Pick<RedisConnection, 'hmget'>): AuthEventReader['dropped'] =>
  (tenantId) =>
    attempt(async () => {
      const fields = (['ALLOW', 'DENY'] as const).map((result) => droppedField(tenantId, result));
      const [allowed, denied] = await redis.hmget(droppedKey, ...fields);
      return { ALLOW: Number(allowed ?? 0), DENY: Number(denied ?? 0) };
    });
