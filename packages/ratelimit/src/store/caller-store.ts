/** Blocks and resets the limits of one caller in the store. */

import type { CompiledLimit } from '../policy/compile-limit';
import type { RunScript } from './limit-charge';

/** The limits under one caller's key. */
export interface CallerLimits {
  readonly key: string;
  readonly limits: readonly CompiledLimit[];
}

/** Undefined if the store is unavailable. */
export interface CallerStore {
  /** Blocks for this time from now; replaces an earlier block. */
  readonly block: (caller: CallerLimits, microseconds: number) => Promise<unknown>;
  /** Resets usage and blocks; returns the used amount per quota, -1 if unknown. */
  readonly reset: (caller: CallerLimits) => Promise<readonly number[] | undefined>;
}

export const createCallerStore = (run: RunScript): CallerStore => {
  const packed = (limits: readonly CompiledLimit[]): Buffer => Buffer.concat(limits.map((limit) => limit.packed));
  const apart = ({ key, limits }: CallerLimits): readonly string[] =>
    limits.flatMap(({ hasOwnKey: isApart, id }) => (isApart ? [`${key}:${id}`] : []));
  return {
    block: ({ key, limits }, microseconds) => run([key], [String(microseconds), packed(limits)]),
    reset: async (caller) =>
      (await run([caller.key, ...apart(caller)], ['reset', packed(caller.limits)])) as readonly number[] | undefined,
  };
};
