/**
 * Many streams at once, each in order. A stream and its metadata share a lane; what waits in a lane goes together. What
 * waits is bounded: the log is read no faster than it is put away.
 */
import { isMetadataStream, ownerOf } from '../storage/heads';
import { enqueue, type Group, weightOf } from './group';
import type { LoggedLine } from './read-log';
import { followingIn, take, type Work } from './turn';

export interface Lanes {
  /** A promise when the caller has to wait for room. Throws what a group failed with. */
  readonly add: (line: LoggedLine) => Promise<void> | undefined;
  /** Resolves when everything is put away. */
  readonly finish: () => Promise<void>;
  /** Begins nothing more; resolves when what was begun is over. */
  readonly stop: () => Promise<void>;
}

interface State {
  readonly work: Work;
  readonly lanes: Map<string, Group[]>;
  /** Lanes with something to do that nobody does. */
  readonly ready: Set<string>;
  /** Lanes that wait for what comes later in the log. */
  readonly parked: Set<string>;
  events: number;
  weight: number;
  active: number;
  finishing: boolean;
  scheduled: boolean;
  failure: { readonly error: unknown } | undefined;
  wake: () => void;
}

const mostAtOnce = 256;
/** Whoever has to wait for room waits until so much is left. */
const roomAgain = 0.5;
const most = { events: 32_768, weight: 32 * 1024 * 1024 };

const exceeds = ({ events, weight }: State, share: number): boolean =>
  events >= most.events * share || weight >= most.weight * share;

const settled = (state: State, key: string, { lines, weight }: Group): void => {
  state.active -= 1;
  state.events -= lines.length;
  state.weight -= weight;
  if (state.lanes.get(key)?.length === 0) state.lanes.delete(key);
  else state.ready.add(key);
  pump(state);
};

const start = (state: State, key: string, patient: boolean): void => {
  state.ready.delete(key);
  const groups = state.lanes.get(key) ?? [];
  const group = take(state.work, groups, patient);
  if (group === undefined) {
    state.parked.add(key);
    return;
  }
  state.active += 1;
  const fail = (error: unknown): void => {
    state.failure ??= { error };
  };
  void state.work
    .put(group, followingIn(groups, state.finishing))
    .catch(fail)
    .finally(() => settled(state, key, group));
};

const pump = (state: State): void => {
  for (const key of state.ready) {
    if (state.active >= mostAtOnce || state.failure !== undefined) break;
    start(state, key, true);
  }
  // Nothing else can go on: what they wait for is further away than may be waited for, or not there at all.
  const stuck = state.active === 0 && state.failure === undefined && (state.finishing || exceeds(state, roomAgain));
  for (const key of stuck ? [...state.parked] : []) {
    state.parked.delete(key);
    start(state, key, false);
  }
  state.wake();
};

/** What is read in one go meets in its lane first. */
const schedule = (state: State): void => {
  if (state.scheduled) return;
  state.scheduled = true;
  setImmediate(() => {
    state.scheduled = false;
    pump(state);
  });
};

const idle = async (state: State, done: () => boolean): Promise<void> => {
  while (!done() && (state.failure === undefined || state.active > 0))
    await new Promise<void>((resolve) => (state.wake = resolve));
};

const until = async (state: State, done: () => boolean): Promise<void> => {
  await idle(state, done);
  if (state.failure !== undefined) throw state.failure.error;
};

const add = (state: State, line: LoggedLine): void => {
  const { stream } = line.event;
  const key = (isMetadataStream(stream) ? ownerOf(stream) : stream).toString('latin1');
  const groups = state.lanes.get(key) ?? [];
  if (!state.lanes.has(key) || state.parked.delete(key)) state.ready.add(key);
  state.lanes.set(key, groups);
  enqueue(groups, line);
  state.events += 1;
  state.weight += weightOf(line);
  schedule(state);
};

export const openLanes = (work: Work): Lanes => {
  const counts = { events: 0, weight: 0, active: 0 };
  const flags = { finishing: false, scheduled: false, failure: undefined };
  const sets = { lanes: new Map(), ready: new Set<string>(), parked: new Set<string>() };
  const state: State = { work, ...sets, ...counts, ...flags, wake: () => undefined };
  return {
    add: (line) => {
      add(state, line);
      // Read on in long strides: neighbours meet.
      return exceeds(state, 1) || state.failure !== undefined
        ? until(state, () => !exceeds(state, roomAgain))
        : undefined;
    },
    finish: () => {
      state.finishing = true;
      schedule(state);
      return until(state, () => state.events === 0);
    },
    stop: () => {
      state.failure ??= { error: new Error('stopped') };
      return idle(state, () => state.active === 0);
    },
  };
};
