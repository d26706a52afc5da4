/** How many events a view is behind: those that arrived for it less those applied. */

export interface Lag {
  /** A view follows from here; `behind` when there is something before it still, whose number nobody knows. */
  readonly attached: (arrived: () => number, behind: boolean) => void;
  /** What was before is in the view. */
  readonly caughtUp: () => void;
  /** `whole`: the view has all of the log. */
  readonly applied: (events: number, whole: boolean) => void;
  /** Undefined while the view reads a past that nobody has counted. */
  readonly events: () => number | undefined;
}

export const openLag = (): Lag => {
  let arrived = (): number => 0;
  let applied = 0;
  /** Of what had arrived before the view read the log again. */
  let past: number | undefined;
  let isPast = false;
  const pending = (): number => Math.max(0, arrived() - applied);
  return {
    attached: (count, behind) => {
      // A mailbox that overflew had counted what the view now reads again; at the first attachment there is none.
      const missed = past === undefined ? 0 : past + pending();
      past = behind ? missed || undefined : 0;
      isPast = behind;
      arrived = count;
      applied = 0;
    },
    caughtUp: () => {
      past = 0;
      isPast = false;
    },
    applied: (events, whole) => {
      if (whole) {
        past = 0;
        applied = arrived();
      } else if (!isPast) applied += events;
      else if (past !== undefined) past = Math.max(0, past - events);
    },
    events: () => (past === undefined ? undefined : past + pending()),
  };
};
