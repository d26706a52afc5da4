/** What editor processes share: document leases and presence, in Redis, or in memory for a single process. */

import { openRedisDocumentLeases } from '../../../infra/adapters/redis/editor/document-leases';
import { openMemoryDocumentLeases } from '../../../infra/adapters/redis/editor/memory-document-leases';
import { openMemoryPresenceStore } from '../../../infra/adapters/redis/editor/memory-presence-store';
import { openRedisPresenceStore } from '../../../infra/adapters/redis/editor/presence-store';
import { anyText, type ConfigOf, optional, redisUrls, variables } from '../../../infra/server/runtime/config';
import { redisAt } from '../../../infra/server/runtime/redis-address';

export const coordinationVariables = {
  /** If omitted, this must be the only process. */
  REDIS_URL: optional(variables.REDIS_URL),
  /** Nodes of a Redis cluster, instead of `REDIS_URL`. */
  EDITOR_CLUSTER: optional(redisUrls),
  /** Address at which other processes reach this one, `http://host:port`. The default is where it listens. */
  EDITOR_ADDRESS: optional(anyText),
};

type Config = ConfigOf<typeof coordinationVariables> & { readonly HOST: string; readonly PORT: number };

const addressOf = ({ EDITOR_ADDRESS, HOST, PORT }: Config): string =>
  EDITOR_ADDRESS ?? `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${PORT}`;

export const openCoordination = (values: Config) => {
  const address = addressOf(values);
  const { REDIS_URL: url, EDITOR_CLUSTER: cluster = [] } = values;
  if (url === undefined && cluster.length === 0)
    return { leases: openMemoryDocumentLeases(new Map(), address), presenceStore: openMemoryPresenceStore() };
  const at = url === undefined || cluster.length > 0 ? { cluster } : redisAt(url);
  return { leases: openRedisDocumentLeases({ ...at, address }), presenceStore: openRedisPresenceStore(at) };
};
