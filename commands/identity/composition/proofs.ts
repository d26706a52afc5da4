/** What may be shown once only, at the token endpoint: told apart by Redis for all who answer there, else by this process alone. */
import { createSecretKey } from 'node:crypto';
import { openRedisOnce } from '../../../infra/redis/once';
import { openRemoteJson } from '../../../infra/remote/fetch-json';
import {
  derivedNonces,
  keptProofKeys,
  memoryReplay,
  type Replay,
} from '../../../packages/resource-server/src/verification/index';
import { openClientKeys } from '../clients/client-keys';

interface Closing extends Replay {
  readonly close: () => Promise<void>;
}

const openOnce = (url: string | undefined, name: string): Closing =>
  url === undefined ? { ...memoryReplay(), close: async () => undefined } : openRedisOnce(url, name);

export interface ProofValues {
  readonly REDIS_URL: string | undefined;
  /** Gateways make nonces of it, too: one that they gave is accepted here. */
  readonly DPOP_NONCE_KEY: string;
  readonly PRIVATE_ADDRESSES: 'allow' | 'refuse';
}

export const openProofs = ({ REDIS_URL, DPOP_NONCE_KEY, PRIVATE_ADDRESSES }: ProofValues) => {
  const replay = openOnce(REDIS_URL, 'dpop');
  const assertions = openOnce(REDIS_URL, 'client-assertion');
  const nonces = derivedNonces(createSecretKey(Buffer.from(DPOP_NONCE_KEY)));
  const fetchJson = openRemoteJson({ allowPrivate: PRIVATE_ADDRESSES === 'allow' });
  return {
    deps: {
      proofs: { replay, nonces, keys: keptProofKeys() },
      assertions,
      clientKeys: openClientKeys(fetchJson),
    },
    close: async (): Promise<void> => {
      await Promise.all([replay.close(), assertions.close()]);
    },
  };
};
