/** Looks now and then for what nobody settled. */
import type { OrphanKind } from './orphan-queue';
import { decodeContext, orphanCosts, orphanKindOf } from './reservation-context';
import { type SettleDeps, settleReservation } from './settle-reservation';

const maxOrphansPerRound = 100;

const settleOrphan = (deps: SettleDeps, reservation: string, written: string): Promise<unknown> => {
  const context = decodeContext(written);
  return settleReservation(deps, context, { reservation, actual: orphanCosts(context), final: true });
};

/** Of one list; whatever cannot be done now is told again later. */
const settleDue = async (deps: SettleDeps, kind: OrphanKind): Promise<void> => {
  const { orphans, context } = deps.store;
  for (const reservation of (await orphans.claimDue(maxOrphansPerRound, kind)) ?? []) {
    const written = await context(reservation);
    if (written === undefined) return;
    if (written === null) await orphans.remove(reservation, kind);
    else await settleOrphan(deps, reservation, written);
  }
};

/** One round. Who has no counts leaves alone what is to be given back to them. */
export const settleOrphans = async (deps: SettleDeps): Promise<void> => {
  await settleDue(deps, 'any');
  if (deps.counts !== undefined) await settleDue(deps, 'counted');
};

/** The oldest are let go of: what they took ends by itself. */
const maxLocalOrphans = 20_000;

/** What this process reserved of its own shares, nobody else knows of. */
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
  /** What is kept with it. */
  readonly context: string;
  readonly milliseconds: number;
  readonly isLocal: boolean;
}

export interface OrphanRefunds {
  /** Of what was reserved: unless it is settled in time, it is given back where its rules say so. */
  readonly add: (reserved: RefundableReservation) => Promise<void>;
  /** Resolves when what is under way is done. */
  readonly close: () => Promise<void>;
}

/** One round at a time; what fails is told again by the store. */
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
