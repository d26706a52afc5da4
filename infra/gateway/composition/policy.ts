/** Opens the policies of tenants: from the log, where the gateway has one. */
import type { SecurityState } from '../../../packages/resource-server/src/verification/index';
import { openRedis } from '../../adapters/redis/connection';
import { createShadowRecorder } from '../../adapters/redis/identity/policy-differences';
import type { EventStore } from '../../ports/event-store';
import type { ShadowRecorder } from '../../ports/identity/policy-differences';
import type { Authentication } from '../authentication/authenticate';
import type { GatewayContext } from '../config';
import { createIntrospection } from '../policy/introspect';
import { createPolicyCheck, type PolicyCheck } from '../policy/policy-check';
import type { StepUpGate } from '../policy/step-up-gate';
import { followTenantPolicies, type TenantPolicies } from '../policy/tenant-policies';

/** Undefined: without the log this gateway knows no policy. */
export const openTenantPolicies = (
  { context, closing }: GatewayContext,
  store: EventStore | undefined,
): TenantPolicies | undefined => {
  if (store === undefined) {
    context.log.warn({}, 'policies of tenants are not enforced here: EVENTSTORE_URL is not set');
    return undefined;
  }
  const policies = followTenantPolicies(store, context);
  const gauge = context.metrics.gauge({
    name: 'gateway_policies_stale_seconds',
    help: 'Age of what is known about policies of tenants; -1 before anything is.',
  });
  const timer = setInterval(() => gauge(policies.isLoaded() ? policies.stalenessMilliseconds() / 1_000 : -1), 1_000);
  closing.add('staleness of policies', async () => clearInterval(timer));
  return policies;
};

export interface PolicySources {
  readonly store: EventStore | undefined;
  readonly policies: TenantPolicies | undefined;
  readonly revocations: SecurityState;
  readonly authentication: Authentication;
  readonly stepUp: { readonly gate: StepUpGate };
}

const openShadowRecorder = ({ config: { REDIS_URL: url }, closing }: GatewayContext): ShadowRecorder | undefined => {
  if (url === undefined) return undefined;
  const redis = openRedis(url);
  const recorder = createShadowRecorder(redis);
  closing.add('outcomes of policies in shadow', async () => {
    await recorder.close();
    redis.disconnect();
  });
  return recorder;
};

export const openPolicyCheck = (
  opened: GatewayContext,
  { store, policies, revocations, authentication, stepUp }: PolicySources,
): PolicyCheck | undefined => {
  if (policies === undefined || store === undefined) return undefined;
  const { audience, now } = authentication;
  const recordShadow = openShadowRecorder(opened)?.record;
  const introspect = createIntrospection({ store, revocations, authentication });
  return createPolicyCheck({ policies, stepUp: stepUp.gate, introspect, recordShadow, audience, now });
};
