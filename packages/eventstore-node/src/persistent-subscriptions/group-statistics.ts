/** The statistics of a group at one moment. */
import type { Storage } from '../storage/storage';
import type { ConsumerPeer } from './consumer-connections';
import type { Consumer } from './group/messages';
import type { Group } from './group/state';
import { type GroupDefinition, groupKeyOf, sourceKindOf } from './group-configuration';
import type { RunningGroup } from './group-runner';
import { formatPosition } from './settings';
import { parkedRange } from './system-streams';

interface Traffic {
  readonly total: number;
  readonly perSecond: number;
  readonly sinceLast: number;
}

export interface ConsumerInfo extends Traffic, Pick<ConsumerPeer, 'userName' | 'connectionName'> {
  readonly availableSlots: number;
  readonly inFlight: number;
  readonly measurements: readonly Measurement[];
}

export interface GroupInfo extends Traffic {
  readonly definition: GroupDefinition;
  readonly status: string;
  readonly consumers: readonly ConsumerInfo[];
  /** Empty before the first checkpoint. */
  readonly checkpoint: string;
  readonly lastKnown: string;
  readonly buffered: number;
  readonly retrying: number;
  readonly inFlight: number;
  readonly outstanding: number;
  readonly parked: number;
}

/** Counts at the time of the previous request, to calculate rates. */
interface TrafficSample {
  readonly at: number;
  readonly totals: ReadonlyMap<number, number>;
}

/** The key of the group's own total, among those of consumers. */
const groupTotalKey = 0;

const statusOf = ({ caughtUp, replay }: Group): string =>
  `${caughtUp ? 'Live' : 'Behind'}${replay === undefined ? '' : ', ReplayingParkedMessages'}`;

const trafficOf = (total: number, before: number, seconds: number): Traffic => ({
  total,
  sinceLast: total - before,
  perSecond: seconds > 0 ? Math.round((total - before) / seconds) : 0,
});

const consumerInfo = (
  { slots, inFlight, latencies }: Consumer,
  peer: ConsumerPeer | undefined,
  traffic: Traffic,
): ConsumerInfo => ({
  ...traffic,
  userName: peer?.userName ?? '',
  connectionName: peer?.connectionName ?? '',
  availableSlots: slots - inFlight,
  inFlight: inFlight,
  measurements: latencies === undefined ? [] : measureLatencies(latencies),
});

const parkedCount = (storage: Storage, { definition, group }: RunningGroup): number => {
  const range = parkedRange(storage, groupKeyOf(definition));
  if (range === undefined) return 0;
  // Messages that wait for a replay no longer count as parked, even before a consumer receives them.
  const replayedTo = group.replay?.stopAt ?? group.replayedTo;
  return Math.max(0, range.last - Math.max(range.first, replayedTo) + 1);
};

const lastKnownPosition = ({ definition, group, source }: RunningGroup): string => {
  // With a filter, only events that were found are known to belong to the group.
  const last = definition.filter === undefined ? source.last() : group.lastFound;
  return last === undefined ? '' : formatPosition(sourceKindOf(definition), last);
};

const describeGroup = (storage: Storage, running: RunningGroup, { at, totals }: TrafficSample): GroupInfo => {
  const { definition, group, peers } = running;
  const seconds = (performance.now() - at) / 1000;
  const consumers = group.consumers.map((consumer) =>
    consumerInfo(consumer, peers.get(consumer.id), trafficOf(consumer.total, totals.get(consumer.id) ?? 0, seconds)),
  );
  return {
    ...trafficOf(group.total, totals.get(groupTotalKey) ?? 0, seconds),
    definition,
    status: statusOf(group),
    consumers,
    checkpoint: group.saved === undefined ? '' : formatPosition(sourceKindOf(definition), group.saved.at),
    lastKnown: lastKnownPosition(running),
    buffered: group.buffer.length,
    retrying: group.retry.length,
    inFlight: group.inFlight.size,
    outstanding: group.inFlight.size + group.parking.size,
    parked: parkedCount(storage, running),
  };
};

export const createGroupStatistics = (storage: Storage): ((running: RunningGroup) => GroupInfo) => {
  const measured = new WeakMap<RunningGroup, TrafficSample>();
  const started = performance.now();
  return (running) => {
    const info = describeGroup(storage, running, measured.get(running) ?? { at: started, totals: new Map() });
    const totals = new Map(running.group.consumers.map(({ id, total }) => [id, total]));
    measured.set(running, { at: performance.now(), totals: totals.set(groupTotalKey, running.group.total) });
    return info;
  };
};

export interface Measurement {
  readonly key: string;
  readonly value: number;
}

const percentiles: readonly (readonly [name: string, share: number])[] = [
  ['Quintile 1', 0],
  ['Quintile 2', 0.2],
  ['Quintile 3', 0.4],
  ['Quintile 4', 0.6],
  ['Quintile 5', 0.8],
  ['90%', 0.9],
  ['95%', 0.95],
  ['99%', 0.99],
  ['99.5%', 0.995],
  ['99.9%', 0.999],
];

/** Times from delivery to acknowledgement, under EventStoreDB's names. */
export const measureLatencies = (latencies: readonly number[]): readonly Measurement[] => {
  if (latencies.length === 0) return [];
  const sorted = [...latencies].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0;
  const sum = sorted.reduce((total, latency) => total + latency, 0);
  return [
    { key: 'Mean', value: Math.floor(sum / sorted.length) },
    { key: 'Median', value: at(0.5) },
    { key: 'Fastest', value: at(0) },
    ...percentiles.map(([key, share]) => ({ key, value: at(share) })),
    { key: 'Highest', value: sorted.at(-1) ?? 0 },
  ];
};
