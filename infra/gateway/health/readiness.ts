/** Readiness of the gateway: keys, revocations, and reachability of the services. */

import type { JwksCache, SecurityState } from '../../../packages/resource-server/src/verification/index';
import type { Health, PartHealth } from '../../ports/runtime/health';
import { maxStalenessMilliseconds } from '../../server/security-state/retention';
import type { Upstream } from '../proxy/upstreams';

export interface HealthOptions {
  readonly keys: JwksCache;
  readonly revocations: SecurityState;
  readonly upstreams: readonly Upstream[];
  /** Undefined: there is none. */
  readonly redis?: (() => Promise<PartHealth>) | undefined;
  /** Aborted before the gateway drains: it then reports not ready. */
  readonly leaving?: AbortSignal;
}

const maxProbeMilliseconds = 1_000;

const upstreamHealth = async ({ pool, title }: Upstream): Promise<PartHealth> => {
  try {
    const signal = AbortSignal.timeout(maxProbeMilliseconds);
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/readyz', signal });
    await body.dump();
    return statusCode < 300 ? { ok: true } : { ok: false, detail: `The ${title} runs, but is not ready.` };
  } catch {
    return { ok: false, detail: `The ${title} does not answer.` };
  }
};

const keysHealth = (keys: JwksCache): PartHealth =>
  keys.loaded() ? { ok: true } : { ok: false, detail: 'Signing keys could not be fetched yet.' };

const revocationsHealth = (revocations: SecurityState): PartHealth => {
  const milliseconds = revocations.stalenessMilliseconds();
  if (milliseconds >= maxStalenessMilliseconds) return { ok: false, detail: 'Revocations are not current.' };
  const position = revocations.sequence() ?? 'nothing';
  return { ok: true, detail: `Known up to ${position}, ${Math.round(milliseconds)} ms ago.` };
};

/** Unavailable services do not make the gateway unready: it answers for them, route by route. */
export const gatewayHealth =
  ({ keys, revocations, upstreams, redis, leaving }: HealthOptions) =>
  async (): Promise<Health> => {
    const own = { 'signing-keys': keysHealth(keys), revocations: revocationsHealth(revocations) };
    const [stores, ...behind] = await Promise.all([
      redis?.(),
      ...upstreams.map(
        async (upstream) => [upstream.title.replaceAll(' ', '-'), await upstreamHealth(upstream)] as const,
      ),
    ]);
    const ready = leaving?.aborted !== true && Object.values(own).every(({ ok }) => ok);
    const parts = { ...own, ...(stores === undefined ? {} : { redis: stores }), ...Object.fromEntries(behind) };
    return { ready, parts };
  };
