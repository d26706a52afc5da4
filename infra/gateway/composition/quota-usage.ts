/** Records quota usage in the event log, so that it survives the loss of Redis. */

import type { Policy, QuotaCounts } from '../../../packages/ratelimit/src/index';
import { openQuotaUsageClient } from '../../ratelimit/service/quota-usage-client';
import type { CallerSigner } from '../../server/http/identity/caller-signer';
import type { GatewayContext } from '../config';
import { defaultModelPolicy } from '../models/default-policy';
import { configuredPolicy, rulesOf } from '../rate-limit/configured-policy';

const hasQuota = (policy: Policy): boolean => rulesOf(policy).some(({ limit }) => limit.algorithm === 'quota');

/** Usage without a tenant is not recorded; Redis alone counts it. */
const perTenantCounts = (counts: QuotaCounts): QuotaCounts => ({
  of: async (quota) => (quota.tenant === '' ? 0 : counts.of(quota)),
  used: (quota, amount) => (quota.tenant === '' ? undefined : counts.used(quota, amount)),
});

/** Undefined: the policy has no quotas, or there is no Redis. */
export const openQuotaUsage = (
  { config, context, closing }: GatewayContext,
  signer: CallerSigner,
): QuotaCounts | undefined => {
  const { REDIS_URL, MODELS_URL, MODELS_POLICY = defaultModelPolicy, COMMANDS_URL, READ_API_URL } = config;
  const policies = MODELS_URL === undefined ? [configuredPolicy(config)] : [configuredPolicy(config), MODELS_POLICY];
  if (REDIS_URL === undefined || !policies.some(hasQuota)) return undefined;
  const { metrics, log } = context;
  const counts = openQuotaUsageClient({
    commandsUrl: COMMANDS_URL,
    readApiUrl: READ_API_URL,
    signer,
    metrics,
    log,
  });
  closing.add('counts of quotas', counts.close);
  return perTenantCounts(counts);
};
