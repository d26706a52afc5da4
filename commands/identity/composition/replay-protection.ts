/** What may be shown once only, at the token endpoint: told apart by Redis for all who answer there, else by this process alone. */
import { createSecretKey } from 'node:crypto';
import { openRedisOnce } from '../../../infra/redis/once';
import { openRemoteJson } from '../../../infra/remote/fetch-json';
import {
  createProofKeyCache,
  derivedNonces,
  memoryReplayCache,
  type ReplayCache,
} from '../../../packages/resource-server/src/verification/index';
import { createClientJwksCache } from '../clients/client-jwks';

interface ClosableReplayCache extends ReplayCache {
  readonly close: () => Promise<void>;
}

const openReplayCache = (url: string | undefined, name: string): ClosableReplayCache =>
  url === undefined ? { ...memoryReplayCache(), close: async () => undefined } : openRedisOnce(url, name);

export interface ReplayProtectionConfig {
  readonly REDIS_URL: string | undefined;
  /** Gateways make nonces of it, too: one that they gave is accepted here. */
  readonly DPOP_NONCE_KEY: string;
  readonly PRIVATE_ADDRESSES: 'allow' | 'refuse';
}

export const openReplayProtection = ({ REDIS_URL, DPOP_NONCE_KEY, PRIVATE_ADDRESSES }: ReplayProtectionConfig) => {
  const replay = openReplayCache(REDIS_URL, 'dpop');
  const assertions = openReplayCache(REDIS_URL, 'client-assertion');
  const nonces = derivedNonces(createSecretKey(Buffer.from(DPOP_NONCE_KEY)));
  const fetchJson = openRemoteJson({ allowPrivate: PRIVATE_ADDRESSES === 'allow' });
  return {
    deps: {
      proofs: { replay, nonces, keys: createProofKeyCache() },
      assertions,
      clientKeys: createClientJwksCache(fetchJson),
    },
    close: async (): Promise<void> => {
      await Promise.all([replay.close(), assertions.close()]);
    },
  };
};
