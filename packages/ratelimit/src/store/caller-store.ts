/** Limits of one caller, as the store blocks and resets them. */

import type { CompiledLimit } from '../policy/compile-limit';
import type { RunScript } from './limit-charge';

/** Limits that one caller's key holds. */
export interface CallerLimits {
  readonly key: string;
  readonly limits: readonly CompiledLimit[];
}

/** As the store: undefined when it cannot be asked. */
export interface CallerStore {
  /** Over, for so long from now, whatever was used; a later block takes the place of an earlier one. */
  readonly block: (caller: CallerLimits, microseconds: number) => Promise<unknown>;
  /** As if never used, and blocked no longer; answers per limit what was used of a quota, -1 where that is not known. */
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
