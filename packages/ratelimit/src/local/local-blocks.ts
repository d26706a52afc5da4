/** Limits blocked in this process; microseconds of its clock. */
import type { LimitState } from '../store/limit-charge';

export interface LocalBlocks {
  readonly set: (name: string, microseconds: number, now: number) => void;
  readonly delete: (name: string) => void;
  /** Marks a blocked limit as over until the block ends, whatever its usage. */
  readonly applyTo: (name: string, state: LimitState, now: number) => LimitState;
}

/** Drops expired blocks, then the oldest, beyond this number. */
export const createLocalBlocks = (maxBlocks: number): LocalBlocks => {
  const blocks = new Map<string, number>();
  const makeRoom = (now: number): void => {
    if (blocks.size < maxBlocks) return;
    for (const [name, until] of blocks) if (until <= now) blocks.delete(name);
    const [oldest] = blocks.keys();
    if (blocks.size >= maxBlocks && oldest !== undefined) blocks.delete(oldest);
  };
  return {
    set: (name, microseconds, now) => {
      blocks.delete(name);
      makeRoom(now);
      blocks.set(name, now + microseconds);
    },
    delete: (name) => void blocks.delete(name),
    applyTo: (name, state, now) => {
      const left = (blocks.get(name) ?? 0) - now;
      if (left <= 0) return state;
      return {
        over: true,
        remaining: 0,
        resetMicroseconds: Math.max(state.resetMicroseconds, left),
        waitMicroseconds: Math.max(state.waitMicroseconds, left),
      };
    },
  };
};
