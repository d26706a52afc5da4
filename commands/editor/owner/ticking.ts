/** What is done now and then for all documents: leases renewed, snapshots that failed tried again, what nobody uses let go. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldFigures } from './figures';
import { openGauging } from './gauging';
import { type All, isIdle, leave } from './holding';
import type { Keeper } from './keeper';
import { keepUp } from './turn';

const tick = async (all: All, keeper: Keeper, gauge: (all: All) => HeldFigures): Promise<void> => {
  await keeper.renew();
  all.deps.figures.held(gauge(all));
  for (const [name, held] of [...all.held]) {
    keepUp(held.owned);
    if (isIdle(held, all.deps.settings.idleMilliseconds)) void leave(all, name, 'unloaded');
  }
  for (const [name, { until, pause }] of all.failed) if (performance.now() > until + pause) all.failed.delete(name);
};

/** Until it is over. */
export const ticking = async (all: All, keeper: Keeper, over: AbortSignal): Promise<void> => {
  const { renewalMilliseconds } = all.deps.settings;
  const gauge = openGauging();
  while (!over.aborted) {
    await tick(all, keeper, gauge);
    await sleep(renewalMilliseconds, undefined, { signal: over }).catch(() => undefined);
  }
};
