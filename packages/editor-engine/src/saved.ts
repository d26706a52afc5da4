/** Waits until nothing is left to be done, or nothing can be. */
import type { EngineEvent, StateKind } from './events';

interface Watched {
  readonly kind: () => StateKind;
  readonly on: (listener: (event: EngineEvent) => void) => () => void;
}

const ends: ReadonlySet<StateKind> = new Set(['readOnly', 'refused', 'closed']);

/** True: it is up to date, and everything that was edited here is committed. */
export const whenSaved = ({ kind, on }: Watched): Promise<boolean> =>
  new Promise((resolve) => {
    const look = (): void => {
      const now = kind();
      if (now !== 'saved' && !ends.has(now)) return;
      leave();
      resolve(now === 'saved');
    };
    const leave = on(look);
    look();
  });
