/**
 * Freshness of cached keys, routes and revocations. Sensitive requests (they grant, take or end authority) need revocations that are
 * seconds old; others accept a minute.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JwksCache,
  maxSensitiveStalenessMilliseconds,
  type RevocableJwksCache,
  type RevocationChecker,
  type SecurityState,
  unavailable,
} from '../../../packages/resource-server/src/verification/index';
import type { SecuritySignal } from '../../ports/identity/security-state';
import type { Metrics } from '../../ports/runtime/metrics';
import type { Problem } from '../../server/http/problem';
import type { ShutdownSteps } from '../../server/runtime/shutdown';
import type { TenantPolicies } from '../policy/tenant-policies';
import type { RouteMatch, RouteTable } from '../routing/route-table';
import { problemFor } from './authenticate';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** While a route is unknown, every change counts as sensitive. */
export const isSensitive = (match: RouteMatch, method: string): boolean => {
  switch (match.kind) {
    case 'route':
      return match.route.sensitive;
    case 'unlearnt':
      return !safeMethods.has(method);
    case 'not-found':
    case 'method-not-allowed':
      return false;
  }
};

export const checkRevocationFreshness = (
  match: RouteMatch,
  method: string,
  revocations: Pick<RevocationChecker, 'stalenessMilliseconds'>,
): Problem | undefined => {
  if (revocations.stalenessMilliseconds() <= maxSensitiveStalenessMilliseconds || !isSensitive(match, method))
    return undefined;
  const detail =
    'Revocations are not current, and this change needs them. They come from the log, which does not answer, or answers late: try again when it does.';
  return problemFor(unavailable('revocation-state-stale', detail));
};

const keyRefreshMilliseconds = 60_000;
/** A replaced service may have other routes. */
const routeRefreshMilliseconds = 10_000;
const maxStartupWaitMilliseconds = 5_000;

export const scheduleCacheRefresh = (
  { keys, routes }: { readonly keys: JwksCache; readonly routes: RouteTable },
  closing: ShutdownSteps,
): void => {
  const timers = [
    setInterval(() => void keys.refresh(), keyRefreshMilliseconds),
    setInterval(() => void routes.refresh(), routeRefreshMilliseconds),
  ];
  closing.add('refreshes', async () => timers.forEach(clearInterval));
};

/** Passes revocations of signing keys on to the JWKS cache. */
export const forwardKeyRevocations = (
  state: Pick<SecurityState, 'apply'>,
  keys: Pick<RevocableJwksCache, 'revoked'>,
): Pick<SecurityState, 'apply'> => ({
  apply: (signal: SecuritySignal) => {
    state.apply(signal);
    if (signal.kind === 'key') keys.revoked(signal.subject);
  },
});

interface StartupCaches {
  readonly keys: JwksCache;
  readonly revocations: SecurityState;
  readonly policies: Pick<TenantPolicies, 'isLoaded'> | undefined;
}

/** Waits until keys, revocations and policies are loaded, but not longer than `maxStartupWaitMilliseconds`: without them requests are refused. */
export const waitForCaches = async ({ keys, revocations, policies }: StartupCaches): Promise<void> => {
  const until = performance.now() + maxStartupWaitMilliseconds;
  while (performance.now() < until) {
    if (!keys.loaded()) await keys.refresh();
    const isKnown = Number.isFinite(revocations.stalenessMilliseconds()) && policies?.isLoaded() !== false;
    if (keys.loaded() && isKnown) return;
    await sleep(50);
  }
};

export const publishStaleness = (revocations: SecurityState, metrics: Metrics, closing: ShutdownSteps): void => {
  const help = 'Age of what is known about revocations; -1 before anything is.';
  const gauge = metrics.gauge({ name: 'gateway_revocations_stale_seconds', help });
  const position = metrics.gauge({
    name: 'gateway_revocations_position',
    help: 'The position in the log up to which revocations are known.',
  });
  const recordSize = metrics.gauge({ name: 'gateway_revocations_held', help: 'Revocations that can still matter.' });
  const observe = (): void => {
    const milliseconds = revocations.stalenessMilliseconds();
    gauge(Number.isFinite(milliseconds) ? milliseconds / 1000 : -1);
    position(Number(revocations.sequence() ?? 0));
    recordSize(revocations.size());
  };
  const timer = setInterval(observe, 1_000);
  closing.add('staleness', async () => clearInterval(timer));
};
