/** Periodic work for all documents: renews leases, retries snapshots, updates gauges, unloads idle documents. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnerGauges } from '../metrics';
import type { OwnedDocument } from '../owned-document';
import type { LeaseRenewer } from './document-lease-renewal';
import { isIdle, type RegistryState, unload, weightedNodeCount } from './registry-state';

const tick = async (
  state: RegistryState,
  renewer: LeaseRenewer,
  gauge: (state: RegistryState) => OwnerGauges,
): Promise<void> => {
  await renewer.renew();
  state.deps.metrics.gauges(gauge(state));
  for (const [name, entry] of [...state.entries]) {
    entry.owned.commitLoop.takeDueSnapshot();
    if (isIdle(entry, state.deps.settings.idleMilliseconds)) void unload(state, name, 'unloaded');
  }
  for (const [name, { until, pause }] of state.failed) if (performance.now() > until + pause) state.failed.delete(name);
};

/** Runs until the signal is aborted. */
export const runMaintenance = async (
  state: RegistryState,
  renewer: LeaseRenewer,
  stopping: AbortSignal,
): Promise<void> => {
  const { renewalMilliseconds } = state.deps.settings;
  const gauge = createGaugeReader();
  while (!stopping.aborted) {
    await tick(state, renewer, gauge);
    await sleep(renewalMilliseconds, undefined, { signal: stopping }).catch(() => undefined);
  }
};

/** Since when each document's snapshot has been due, by the monotonic clock. */
type SnapshotDueTimes = WeakMap<OwnedDocument, number>;

/** A snapshot in progress counts as due until it succeeds. */
const dueSecondsOf = (due: SnapshotDueTimes, owned: OwnedDocument, now: number): number => {
  const { snapshots } = owned;
  if (snapshots.inProgress() === undefined && !snapshots.isOverThreshold()) {
    due.delete(owned);
    return 0;
  }
  const since = due.get(owned) ?? now;
  if (snapshots.isOverThreshold()) due.set(owned, since);
  return (now - since) / 1_000;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
const maximum = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.max(one, other), 0);

export const createGaugeReader = (
  now: () => number = () => performance.now(),
): ((state: RegistryState) => OwnerGauges) => {
  const due: SnapshotDueTimes = new WeakMap();
  return (state) => {
    const documents = [...state.entries.values()].map(({ owned }) => owned);
    const at = now();
    return {
      documents: documents.length,
      nodes: weightedNodeCount(state),
      queued: sum(documents.map(({ queue }) => queue.length())),
      committing: documents.filter(({ commitLoop }) => commitLoop.isRunning()).length,
      maxUnsnapshottedBytes: maximum(documents.map(({ content }) => content.tail.bytes)),
      snapshotDueSeconds: maximum(documents.map((owned) => dueSecondsOf(due, owned, at))),
    };
  };
};
