/** What is to be known of a group at a moment. */
import type { Storage } from '../storage/storage';
import { type Definition, keyOf, targetOf } from './configuration';
import type { Peer } from './connection';
import { type Measurement, measurementsOf } from './measurements';
import type { Consumer } from './message';
import { parkedRange } from './notes';
import { placeText } from './places';
import type { Running } from './runner';
import type { Group } from './state';

interface Traffic {
  readonly total: number;
  readonly perSecond: number;
  readonly sinceLast: number;
}

export interface ConsumerInfo extends Traffic, Pick<Peer, 'userName' | 'connectionName'> {
  readonly availableSlots: number;
  readonly held: number;
  readonly measurements: readonly Measurement[];
}

export interface GroupInfo extends Traffic {
  readonly definition: Definition;
  readonly status: string;
  readonly consumers: readonly ConsumerInfo[];
  /** Empty before the first. */
  readonly checkpoint: string;
  readonly lastKnown: string;
  readonly buffered: number;
  readonly retrying: number;
  readonly held: number;
  readonly outstanding: number;
  readonly parked: number;
}

/** Counts as they were when they were last asked for. */
interface Measured {
  readonly at: number;
  readonly totals: ReadonlyMap<number, number>;
}

/** The group's own total has this number among the consumers'. */
const whole = 0;

const statusOf = ({ caughtUp, replay }: Group): string =>
  `${caughtUp ? 'Live' : 'Behind'}${replay === undefined ? '' : ', ReplayingParkedMessages'}`;

const trafficOf = (total: number, before: number, seconds: number): Traffic => ({
  total,
  sinceLast: total - before,
  perSecond: seconds > 0 ? Math.round((total - before) / seconds) : 0,
});

const consumerInfo = (
  { slots, held, latencies }: Consumer,
  peer: Peer | undefined,
  traffic: Traffic,
): ConsumerInfo => ({
  ...traffic,
  userName: peer?.userName ?? '',
  connectionName: peer?.connectionName ?? '',
  availableSlots: slots - held,
  held,
  measurements: latencies === undefined ? [] : measurementsOf(latencies),
});

const parkedCount = (storage: Storage, { definition, group }: Running): number => {
  const range = parkedRange(storage, keyOf(definition));
  if (range === undefined) return 0;
  // What is to be replayed is not parked any more, though nobody may be there yet to have it.
  const replayedTo = group.replay?.stopAt ?? group.replayedTo;
  return Math.max(0, range.last - Math.max(range.first, replayedTo) + 1);
};

const lastKnownOf = ({ definition, group, source }: Running): string => {
  // With a filter only what was found is known to be the group's.
  const last = definition.filter === undefined ? source.last() : group.lastFound;
  return last === undefined ? '' : placeText(targetOf(definition), last);
};

const infoOf = (storage: Storage, running: Running, { at, totals }: Measured): GroupInfo => {
  const { definition, group, peers } = running;
  const seconds = (performance.now() - at) / 1000;
  const consumers = group.consumers.map((consumer) =>
    consumerInfo(consumer, peers.get(consumer.id), trafficOf(consumer.total, totals.get(consumer.id) ?? 0, seconds)),
  );
  return {
    ...trafficOf(group.total, totals.get(whole) ?? 0, seconds),
    definition,
    status: statusOf(group),
    consumers,
    checkpoint: group.saved === undefined ? '' : placeText(targetOf(definition), group.saved.at),
    lastKnown: lastKnownOf(running),
    buffered: group.buffer.length,
    retrying: group.retry.length,
    held: group.held.size,
    outstanding: group.held.size + group.parking.size,
    parked: parkedCount(storage, running),
  };
};

export const createInfo = (storage: Storage): ((running: Running) => GroupInfo) => {
  const measured = new WeakMap<Running, Measured>();
  const started = performance.now();
  return (running) => {
    const info = infoOf(storage, running, measured.get(running) ?? { at: started, totals: new Map() });
    const totals = new Map(running.group.consumers.map(({ id, total }) => [id, total]));
    measured.set(running, { at: performance.now(), totals: totals.set(whole, running.group.total) });
    return info;
  };
};
