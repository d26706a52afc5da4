/** Erasure of a subject. It can repeat: it covers what was recorded before. */
import { right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type ForgetReason, type SubjectEvent, subjects } from './events';

export interface ForgetSubject {
  readonly type: 'ForgetSubject';
  readonly subject: string;
  readonly keys: readonly string[];
  readonly reason: ForgetReason;
}

/** Undefined: never erased. */
export type SubjectState = readonly string[] | undefined;

export const subject: Decider<ForgetSubject, SubjectState, SubjectEvent, never> = {
  family: subjects,
  initial: undefined,
  evolve: (state = [], { data }) => [...state, ...data.keys],
  decide: ({ subject: hash, keys, reason }, state) => {
    const fresh = keys.filter((key) => state?.includes(key) !== true);
    if (state !== undefined && fresh.length === 0) return right([]);
    return right([{ type: 'SubjectForgotten', data: { subject: hash, keys: fresh, reason } }]);
  },
};
