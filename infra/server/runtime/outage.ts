/** Logs what keeps failing: when it begins, once a minute while it lasts, and when it is over. Each failure is a debug line. */
import type { Log } from '../../ports/runtime/log';
import type { Resuming } from './backoff';

type Fields = Parameters<Log['warn']>[0];

export interface OutageMessages {
  /** Loops of a process that warn in the same words share their lines. */
  readonly failing: string;
  readonly recovered: string;
}

export interface Outage {
  /** Called at every failure. */
  readonly failed: (fields: Fields) => void;
  /** Called whenever it works, however often. */
  readonly recovered: () => void;
  /** The loop ends, whatever its state. */
  readonly end: () => void;
}

interface OutageState {
  /** Loops that fail. */
  readonly failing: Set<symbol>;
  began: number;
  /** Whether its begin is logged. */
  isWritten: boolean;
  writtenAt: number;
  /** Failures since the last line. */
  failures: number;
}

const lineMilliseconds = 60_000;

const states = new WeakMap<Log, Map<string, OutageState>>();

const stateOf = (log: Log, { failing }: OutageMessages): OutageState => {
  const ofLog = states.get(log) ?? new Map<string, OutageState>();
  states.set(log, ofLog);
  const state = ofLog.get(failing) ?? {
    failing: new Set(),
    began: 0,
    isWritten: false,
    writtenAt: Number.NEGATIVE_INFINITY,
    failures: 0,
  };
  ofLog.set(failing, state);
  return state;
};

const seconds = (milliseconds: number): number => Math.round(milliseconds / 1_000);

/** One for each loop. */
export const trackOutage = (
  log: Log,
  messages: OutageMessages,
  now: () => number = () => performance.now(),
): Outage => {
  const state = stateOf(log, messages);
  const loop = Symbol(messages.failing);
  return {
    failed: (fields) => {
      const at = now();
      if (state.failing.size === 0) Object.assign(state, { began: at, isWritten: false, failures: 0 });
      state.failing.add(loop);
      state.failures += 1;
      // Also what fails and works by turns warns once a minute.
      if (at - state.writtenAt < lineMilliseconds) return log.debug(fields, messages.failing);
      const lasting = { seconds: seconds(at - state.began), failures: state.failures };
      log.warn(state.isWritten ? { ...fields, ...lasting } : fields, messages.failing);
      Object.assign(state, { isWritten: true, writtenAt: at, failures: 0 });
    },
    recovered: () => {
      if (!state.failing.delete(loop) || state.failing.size > 0 || !state.isWritten) return;
      log.info({ seconds: seconds(now() - state.began) }, messages.recovered);
    },
    end: () => {
      state.failing.delete(loop);
    },
  };
};

/** The part of `resumeUntilAborted` that logs. */
export const logOutage = (
  log: Log,
  messages: OutageMessages,
  fields: Fields = {},
): Required<Omit<Resuming, 'signal'>> => {
  const outage = trackOutage(log, messages);
  return {
    failed: (error) => outage.failed({ ...fields, error }),
    progressed: outage.recovered,
    ended: outage.end,
  };
};
