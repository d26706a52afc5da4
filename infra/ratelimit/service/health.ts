/** Health of the service. It is always ready: without the store, each rule's `onStoreError` applies. */

import type { BreakerMetrics } from '../../../packages/ratelimit/src/limit-store';
import type { Health, PartHealth } from '../../ports/runtime/health';
import type { Metrics } from '../../ports/runtime/metrics';

const storeHealth = ({ state, opened, reasons }: BreakerMetrics): PartHealth => {
  const seen =
    opened === 0 ? 'The breaker has never opened.' : `The breaker opened ${opened} times: ${reasons.join(', ')}.`;
  if (state === 'closed') return { ok: true, detail: seen };
  const now =
    state === 'open' ? 'The store is not used, because it failed or was slow.' : 'The store is being retried.';
  return { ok: false, detail: `${now} ${seen}` };
};

export interface ServiceHealthDeps {
  /** Whether the store answers now: the breaker sees nothing while no request is decided. Undefined without a store. */
  readonly probe: (() => Promise<PartHealth>) | undefined;
  /** Undefined without a store. */
  readonly breakerMetrics: (() => BreakerMetrics) | undefined;
  /** Why there is no store. */
  readonly off: string | undefined;
  readonly policy: () => PartHealth;
}

export const createHealth =
  ({
    probe,
    breakerMetrics: readMetrics,
    off = 'Without REDIS_URL nothing is counted in common.',
    policy,
  }: ServiceHealthDeps) =>
  async (): Promise<Health> => {
    const probed = await probe?.();
    const decided = readMetrics === undefined ? { ok: false, detail: off } : storeHealth(readMetrics());
    const store = probed?.ok === false ? probed : decided;
    return { ready: true, parts: { store, policy: policy() } };
  };

const stateNumbers = { closed: 0, 'half-open': 1, open: 2 } as const;

/** Returns how to stop it. */
export const startBreakerGauge = (readMetrics: () => BreakerMetrics, metrics: Metrics): (() => Promise<void>) => {
  const state = metrics.gauge({
    name: 'ratelimit_store_breaker_state',
    help: '0: the store is used; 1: it is being retried; 2: it is not used for now.',
  });
  const show = (): void => state(stateNumbers[readMetrics().state]);
  show();
  const timer = setInterval(show, 1_000).unref();
  return async () => clearInterval(timer);
};
