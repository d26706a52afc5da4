/** Faults of stores' addresses that only their servers reveal. A missing answer is no fault: processes start while stores are away. */
import { expectedAddress } from '../../../adapters/redis/cluster-mode';
import type { ConfigFault } from '../config';

export const addressFaults = async ({
  REDIS_URL,
}: {
  readonly REDIS_URL?: string | undefined;
}): Promise<readonly ConfigFault[]> => {
  const expected = REDIS_URL === undefined ? undefined : await expectedAddress(REDIS_URL);
  return expected === undefined ? [] : [{ variable: 'REDIS_URL', expected }];
};
