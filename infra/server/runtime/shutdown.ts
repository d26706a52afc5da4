/** Ends a process in order: what was opened last is closed first, within a deadline, and never twice. */
import type { Log } from '../../ports/runtime/log';
import { onLauncherEnd } from './launcher-channel';
import { withinMilliseconds } from './within-milliseconds';

interface ShutdownStep {
  readonly name: string;
  readonly close: () => Promise<void>;
}

export interface ShutdownSteps {
  readonly add: (name: string, close: () => Promise<void>) => void;
  /** Every step runs, also after one that failed; answers whether all succeeded. */
  readonly close: () => Promise<boolean>;
}

/** Collects how to close things while they are opened. */
export const createShutdownSteps = (log: Log): ShutdownSteps => {
  const steps: ShutdownStep[] = [];
  const closeAll = async (): Promise<boolean> => {
    let clean = true;
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step.close();
      } catch (error) {
        clean = false;
        log.error({ part: step.name, error }, 'part did not close');
      }
    }
    return clean;
  };
  let closing: Promise<boolean> | undefined;
  return { add: (name, close) => steps.push({ name, close }), close: () => (closing ??= closeAll()) };
};

export interface Shutdown {
  readonly log: Log;
  readonly close: () => Promise<boolean>;
  readonly deadlineMilliseconds?: number;
}

const drained = async ({ close, deadlineMilliseconds = 12_000 }: Shutdown): Promise<boolean> =>
  (await withinMilliseconds(close(), deadlineMilliseconds)) ?? false;

/** Drains at the first SIGTERM or SIGINT, or when the launcher is gone; a second signal ends at once. */
export const drainOnSignals = (shutdown: Shutdown): void => {
  let draining = false;
  const drain = async (reason: string): Promise<void> => {
    if (draining) process.exit(1);
    draining = true;
    shutdown.log.info({ reason }, 'draining');
    const clean = await drained(shutdown);
    shutdown.log.info({ clean }, 'stopped');
    process.exit(clean ? 0 : 1);
  };
  process.on('SIGTERM', () => void drain('SIGTERM'));
  process.on('SIGINT', () => void drain('SIGINT'));
  onLauncherEnd(() => {
    if (!draining) void drain('launcher ended');
  });
};
