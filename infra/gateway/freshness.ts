/** Keeps what the gateway knows young, waits for the first of it, and shows how old it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FollowedKeyring, Keyring, SecurityState } from '../../packages/resource-server/src/verification/index';
import type { Metrics } from '../ports/metrics';
import type { SecuritySignal } from '../ports/security-state';
import type { Closers } from '../shutdown';
import type { LearntRoutes } from './learnt-routes';

const keysEveryMilliseconds = 60_000;
/** A service that was replaced has other routes, or says other things of them. */
const routesEveryMilliseconds = 10_000;
const firstAnswersMilliseconds = 5_000;

export const keepFresh = (
  { keys, routes }: { readonly keys: Keyring; readonly routes: LearntRoutes },
  closing: Closers,
): void => {
  const timers = [
    setInterval(() => void keys.refresh(), keysEveryMilliseconds),
    setInterval(() => void routes.refresh(), routesEveryMilliseconds),
  ];
  closing.add('refreshes', async () => timers.forEach(clearInterval));
};

/** What is heard of revoked keys is told to whoever holds keys, as well. */
export const hearingOfKeys = (
  state: Pick<SecurityState, 'apply'>,
  keys: Pick<FollowedKeyring, 'revoked'>,
): Pick<SecurityState, 'apply'> => ({
  apply: (signal: SecuritySignal) => {
    state.apply(signal);
    if (signal.kind === 'key') keys.revoked(signal.subject);
  },
});

/** Requests in the first moments would be refused for want of keys and revocations; a start that cannot have them goes on. */
export const firstAnswers = async (keys: Keyring, revocations: SecurityState): Promise<void> => {
  const until = performance.now() + firstAnswersMilliseconds;
  while (performance.now() < until) {
    if (!keys.loaded()) await keys.refresh();
    if (keys.loaded() && Number.isFinite(revocations.stalenessMilliseconds())) return;
    await sleep(50);
  }
};

export const watchStaleness = (revocations: SecurityState, metrics: Metrics, closing: Closers): void => {
  const help = 'Age of what is known about revocations; -1 before anything is.';
  const gauge = metrics.gauge({ name: 'gateway_revocations_stale_seconds', help });
  const position = metrics.gauge({
    name: 'gateway_revocations_position',
    help: 'The position in the log up to which revocations are known.',
  });
  const held = metrics.gauge({ name: 'gateway_revocations_held', help: 'Revocations that can still matter.' });
  const observe = (): void => {
    const milliseconds = revocations.stalenessMilliseconds();
    gauge(Number.isFinite(milliseconds) ? milliseconds / 1000 : -1);
    position(Number(revocations.sequence() ?? 0));
    held(revocations.size());
  };
  const timer = setInterval(observe, 1_000);
  closing.add('staleness', async () => clearInterval(timer));
};
