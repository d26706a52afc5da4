/** Looks now and then for what nobody settled. */
import type { OrphanKind } from './orphan-list';
import { orphanCosts, orphanKindOf, readContext } from './reservation-context';
import { type Settlers, settleAs } from './settling';

const mostAtOnce = 100;

const settleOrphan = (settlers: Settlers, reservation: string, written: string): Promise<unknown> => {
  const context = readContext(written);
  return settleAs(settlers, context, { reservation, actual: orphanCosts(context), final: true });
};

/** Of one list; whatever cannot be done now is told again later. */
const settleDue = async (settlers: Settlers, kind: OrphanKind): Promise<void> => {
  const { orphans, context } = settlers.store;
  for (const reservation of (await orphans.due(mostAtOnce, kind)) ?? []) {
    const written = await context(reservation);
    if (written === undefined) return;
    if (written === null) await orphans.forget(reservation, kind);
    else await settleOrphan(settlers, reservation, written);
  }
};

/** One round. Who has no counts leaves alone what is to be given back to them. */
export const settleOrphans = async (settlers: Settlers): Promise<void> => {
  await settleDue(settlers, 'any');
  if (settlers.counts !== undefined) await settleDue(settlers, 'counted');
};

/** The oldest are let go of: what they took ends by itself. */
const mostHere = 20_000;

/** What this process reserved of its own shares, nobody else knows of. */
const openOwn = (settlers: Settlers, now: () => number) => {
  const due = new Map<string, number>();
  return {
    note: (reservation: string, milliseconds: number): void => {
      const [oldest] = due.keys();
      if (due.size >= mostHere && oldest !== undefined) due.delete(oldest);
      due.set(reservation, now() + milliseconds);
    },
    settle: async (): Promise<void> => {
      for (const [reservation, at] of due) {
        if (at > now()) return;
        due.delete(reservation);
        const written = settlers.local.context(reservation);
        if (written !== undefined) await settleOrphan(settlers, reservation, written);
      }
    },
  };
};

const pauseMilliseconds = 1_000;

export interface Reserved {
  readonly reservation: string;
  /** What is kept with it. */
  readonly context: string;
  readonly milliseconds: number;
  readonly isHere: boolean;
}

export interface Orphans {
  /** Of what was reserved: unless it is settled in time, it is given back where its rules say so. */
  readonly note: (reserved: Reserved) => Promise<void>;
  /** Resolves when what is under way is done. */
  readonly close: () => Promise<void>;
}

/** One round at a time; what fails is told again by the store. */
export const openOrphans = (settlers: Settlers, now: () => number = () => performance.now()): Orphans => {
  const own = openOwn(settlers, now);
  let underWay: Promise<void> | undefined;
  const sweep = (): void => {
    underWay ??= own
      .settle()
      .then(() => settleOrphans(settlers))
      .catch(() => undefined)
      .finally(() => {
        underWay = undefined;
      });
  };
  const timer = setInterval(sweep, pauseMilliseconds).unref();
  return {
    note: async ({ reservation, context, milliseconds, isHere }) => {
      const kind = orphanKindOf(readContext(context));
      if (kind === undefined) return;
      if (isHere) own.note(reservation, milliseconds);
      else await settlers.store.orphans.note(reservation, milliseconds, kind);
    },
    close: async () => {
      clearInterval(timer);
      await underWay;
    },
  };
};
