/** Counts of quotas that outlive Redis, where a policy here has quotas: recorded in the log, each as its tenant's. */

import type { Policy, QuotaCounts } from '../../../packages/ratelimit/src/index';
import type { CallerSigner } from '../../http/caller-signer';
import { openQuotaUsage } from '../../ratelimit/service/quota-usage-client';
import { modelsPolicy } from '../models-policy';
import type { Opened } from '../opened';
import { policyGiven, rulesOf } from '../rate-limit-given';

const hasQuota = (policy: Policy): boolean => rulesOf(policy).some(({ limit }) => limit.algorithm === 'quota');

/** What is nobody's cannot be recorded as anybody's: it is what Redis remembers. */
const ofTenants = (counts: QuotaCounts): QuotaCounts => ({
  of: async (quota) => (quota.tenant === '' ? 0 : counts.of(quota)),
  used: (quota, amount) => (quota.tenant === '' ? undefined : counts.used(quota, amount)),
});

/** Undefined where there is nothing to be counted, or no Redis that could lose it. */
export const openUsageCounts = (
  { config, context, closing }: Opened,
  signer: CallerSigner,
): QuotaCounts | undefined => {
  const { REDIS_URL, MODELS_URL, MODELS_POLICY = modelsPolicy, COMMANDS_URL, READ_API_URL } = config;
  const policies = MODELS_URL === undefined ? [policyGiven(config)] : [policyGiven(config), MODELS_POLICY];
  if (REDIS_URL === undefined || !policies.some(hasQuota)) return undefined;
  const { metrics, log } = context;
  const counts = openQuotaUsage({
    commandsUrl: COMMANDS_URL,
    readApiUrl: READ_API_URL,
    signer,
    ...{ metrics, log },
  });
  closing.add('counts of quotas', counts.close);
  return ofTenants(counts);
};
