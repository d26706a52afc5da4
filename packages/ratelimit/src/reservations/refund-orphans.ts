/** Refunds orphaned reservations periodically. */
import type { OrphanKind } from './orphan-queue';
import { decodeContext, orphanCosts, orphanKindOf } from './reservation-context';
import { type SettleDeps, settleReservation } from './settle-reservation';

const maxOrphansPerRound = 100;

const settleOrphan = (deps: SettleDeps, reservation: string, written: string): Promise<unknown> => {
  const context = decodeContext(written);
  return settleReservation(deps, context, { reservation, actual: orphanCosts(context), final: true });
};

/** Settles the due reservations of one kind; failed ones become due again. */
const settleDue = async (deps: SettleDeps, kind: OrphanKind): Promise<void> => {
  const { orphans, context } = deps.store;
  for (const reservation of (await orphans.claimDue(maxOrphansPerRound, kind)) ?? []) {
    const written = await context(reservation);
    if (written === undefined) return;
    if (written === null) await orphans.remove(reservation, kind);
    else await settleOrphan(deps, reservation, written);
  }
};

/** One round. Reservations with durable counts need a process that has the counts. */
export const settleOrphans = async (deps: SettleDeps): Promise<void> => {
  await settleDue(deps, 'any');
  if (deps.counts !== undefined) await settleDue(deps, 'counted');
};

/** Drops the oldest beyond the bound; their charges expire. */
const maxLocalOrphans = 20_000;

/** Local reservations, which no other process knows. */
const createLocalOrphans = (deps: SettleDeps, now: () => number) => {
  const due = new Map<string, number>();
  return {
    add: (reservation: string, milliseconds: number): void => {
      const [oldest] = due.keys();
      if (due.size >= maxLocalOrphans && oldest !== undefined) due.delete(oldest);
      due.set(reservation, now() + milliseconds);
    },
    settle: async (): Promise<void> => {
      for (const [reservation, at] of due) {
        if (at > now()) return;
        due.delete(reservation);
        const written = deps.local.context(reservation);
        if (written !== undefined) await settleOrphan(deps, reservation, written);
      }
    },
  };
};

const intervalMilliseconds = 1_000;

export interface RefundableReservation {
  readonly reservation: string;
  /** The stored context. */
  readonly context: string;
  readonly milliseconds: number;
  readonly isLocal: boolean;
}

export interface OrphanRefunds {
  /** Refunds the reservation if it is not settled in time and its rules allow refunds. */
  readonly add: (reserved: RefundableReservation) => Promise<void>;
  /** Resolves after the current round. */
  readonly close: () => Promise<void>;
}

/** Runs one round at a time; failures are retried by later rounds. */
export const startOrphanRefunds = (deps: SettleDeps, now: () => number = () => performance.now()): OrphanRefunds => {
  const localOrphans = createLocalOrphans(deps, now);
  let currentRound: Promise<void> | undefined;
  const sweep = (): void => {
    currentRound ??= localOrphans
      .settle()
      .then(() => settleOrphans(deps))
      .catch(() => undefined)
      .finally(() => {
        currentRound = undefined;
      });
  };
  const timer = setInterval(sweep, intervalMilliseconds).unref();
  return {
    add: async ({ reservation, context, milliseconds, isLocal: isHere }) => {
      const kind = orphanKindOf(decodeContext(context));
      if (kind === undefined) return;
      if (isHere) localOrphans.add(reservation, milliseconds);
      else await deps.store.orphans.add(reservation, milliseconds, kind);
    },
    close: async () => {
      clearInterval(timer);
      await currentRound;
    },
  };
};
