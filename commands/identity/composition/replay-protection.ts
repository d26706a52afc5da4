/** Opens the replay caches of the token endpoint: in Redis, or in memory for a single process. */
import { createSecretKey } from 'node:crypto';
import { openRedisReplayCache } from '../../../infra/adapters/redis/identity/replay-cache';
import { openRemoteJson } from '../../../infra/adapters/remote/fetch-json';
import {
  createProofKeyCache,
  derivedNonces,
  memoryReplayCache,
  type ReplayCache,
} from '../../../packages/resource-server/src/verification/index';
import { createClientJwksCache } from '../clients/client-jwks';
import { createIssuerKeyCache } from '../token-exchange/workload/issuer-keys';

interface ClosableReplayCache extends ReplayCache {
  readonly close: () => Promise<void>;
}

const openReplayCache = (url: string | undefined, name: string): ClosableReplayCache =>
  url === undefined ? { ...memoryReplayCache(), close: async () => undefined } : openRedisReplayCache(url, name);

export interface ReplayProtectionConfig {
  readonly REDIS_URL: string | undefined;
  /** Shared with gateways, whose DPoP nonces are accepted here. */
  readonly DPOP_NONCE_KEY: string;
  readonly PRIVATE_ADDRESSES: 'allow' | 'refuse';
}

export const openReplayProtection = ({ REDIS_URL, DPOP_NONCE_KEY, PRIVATE_ADDRESSES }: ReplayProtectionConfig) => {
  const replay = openReplayCache(REDIS_URL, 'dpop');
  const assertions = openReplayCache(REDIS_URL, 'client-assertion');
  const nonces = derivedNonces(createSecretKey(Buffer.from(DPOP_NONCE_KEY)));
  const workloadCredentials = openReplayCache(REDIS_URL, 'workload-credential');
  const allowPrivate = PRIVATE_ADDRESSES === 'allow';
  const fetchJson = openRemoteJson({ allowPrivate });
  return {
    deps: {
      proofs: { replay, nonces, keys: createProofKeyCache() },
      assertions,
      clientKeys: createClientJwksCache(fetchJson),
      workloads: {
        credentials: workloadCredentials,
        keys: createIssuerKeyCache(openRemoteJson({ allowPrivate, allowPlainHttp: allowPrivate })),
        allowsPlainHttp: allowPrivate,
      },
    },
    close: async (): Promise<void> => {
      await Promise.all([replay.close(), assertions.close(), workloadCredentials.close()]);
    },
  };
};
