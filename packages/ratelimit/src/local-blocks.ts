/** Which limits are blocked in this process; in microseconds of its clock. */
import type { LimitState } from './asked';

export interface LocalBlocks {
  readonly set: (name: string, microseconds: number, now: number) => void;
  readonly delete: (name: string) => void;
  /** A blocked limit is over until then, whatever was used. */
  readonly applied: (name: string, state: LimitState, now: number) => LimitState;
}

/** Of more than that, those that were blocked first are let go of. */
export const openLocalBlocks = (most: number): LocalBlocks => {
  const blocks = new Map<string, number>();
  const makeRoom = (now: number): void => {
    if (blocks.size < most) return;
    for (const [name, until] of blocks) if (until <= now) blocks.delete(name);
    const [oldest] = blocks.keys();
    if (blocks.size >= most && oldest !== undefined) blocks.delete(oldest);
  };
  return {
    set: (name, microseconds, now) => {
      blocks.delete(name);
      makeRoom(now);
      blocks.set(name, now + microseconds);
    },
    delete: (name) => void blocks.delete(name),
    applied: (name, state, now) => {
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
