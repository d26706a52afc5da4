/**
 * Tells on the shared feed what the log says. The feed remembers up to where it was told, beside what was told: when it has
 * lost that, or was set back, everything that still matters is told again. Any number of relays may run; what is told twice
 * does no harm.
 */
import { isLeft } from 'fp-ts/Either';
import type { SecurityState } from '../../packages/resource-server/src/verification/index';
import type { FeedWriter } from '../ports/feed';
import type { Log } from '../ports/log';
import type { SecurityChange, SecuritySignal } from '../ports/security-state';
import { readSequence, writeChange } from './wire';

export interface Relay {
  readonly apply: (signal: SecuritySignal) => void;
  /** Resolves when what was heard so far has been told, or could not be. */
  readonly settled: () => Promise<void>;
}

export interface RelayOptions {
  readonly state: SecurityState;
  readonly writer: FeedWriter;
  readonly log: Log;
}

export const openRelay = ({ state, writer, log }: RelayOptions): Relay => {
  let fresh: SecurityChange[] = [];
  let isDue = false;
  let working: Promise<void> | undefined;
  let away = false;
  /** Read before the log was asked how far it is, so that the log cannot be behind it. */
  let toldBefore: bigint | null = null;

  const failed = (detail: string): void => {
    if (!away) log.warn({ detail }, 'the feed of revocations cannot be written; gateways have the log');
    away = true;
  };
  const tell = async (changes: readonly SecurityChange[], told?: bigint): Promise<void> => {
    const done = await writer.tell(changes.map(writeChange), told === undefined ? undefined : String(told));
    if (isLeft(done)) failed(done.left.detail);
    else away = false;
  };
  const prove = async (proven: bigint): Promise<void> => {
    const found = await writer.told();
    if (isLeft(found)) return failed(found.left.detail);
    const told = readSequence(found.right);
    const alien = toldBefore !== null && toldBefore > proven;
    toldBefore = told;
    await tell(state.changesAfter(alien ? null : told), proven);
  };
  const round = async (): Promise<void> => {
    while (isDue || fresh.length > 0) {
      const [changes, proven] = [fresh, isDue ? state.sequence() : null];
      fresh = [];
      isDue = false;
      if (proven !== null) await prove(proven);
      else if (changes.length > 0) await tell(changes);
    }
  };
  const begin = (): void => {
    working ??= round().finally(() => {
      working = undefined;
      // Heard between the last look and here.
      if (isDue || fresh.length > 0) begin();
    });
  };
  return {
    apply: (signal) => {
      state.apply(signal);
      if (signal.kind === 'heartbeat') isDue = true;
      else fresh.push(signal);
      begin();
    },
    settled: async () => {
      while (working !== undefined) await working;
    },
  };
};
