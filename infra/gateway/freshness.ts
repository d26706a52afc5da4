/** Keeps what the gateway knows young, waits for the first of it, and shows how old it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EpochCache } from '../epochs/epochs';
import type { Metrics } from '../ports/metrics';
import type { Closers } from '../shutdown';
import type { Keyring } from './keyring';
import type { RequiredScopes } from './scopes';

const keysEveryMilliseconds = 60_000;
const firstAnswersMilliseconds = 5_000;

export const keepFresh = (
  { keys, scopes }: { readonly keys: Keyring; readonly scopes: RequiredScopes },
  closing: Closers,
): void => {
  const timer = setInterval(() => void Promise.all([keys.refresh(), scopes.refresh()]), keysEveryMilliseconds);
  closing.add('key refresh', async () => clearInterval(timer));
};

/** Requests in the first moments would be refused for want of keys and epochs; a start that cannot have them goes on. */
export const firstAnswers = async (keys: Keyring, epochs: EpochCache): Promise<void> => {
  const until = performance.now() + firstAnswersMilliseconds;
  while (performance.now() < until) {
    if (!keys.loaded()) await keys.refresh();
    if (keys.loaded() && Number.isFinite(epochs.stalenessMilliseconds())) return;
    await sleep(50);
  }
};

export const watchStaleness = (epochs: EpochCache, metrics: Metrics, closing: Closers): void => {
  const help = 'Age of what is known about revocations; -1 before anything is.';
  const gauge = metrics.gauge({ name: 'gateway_revocations_stale_seconds', help });
  const observe = (): void => {
    const milliseconds = epochs.stalenessMilliseconds();
    gauge(Number.isFinite(milliseconds) ? milliseconds / 1000 : -1);
  };
  const timer = setInterval(observe, 1_000);
  closing.add('staleness', async () => clearInterval(timer));
};
