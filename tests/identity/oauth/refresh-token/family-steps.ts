/** What can happen to the world of two refresh families. */
import * as fc from 'fast-check';
import { graceSeconds } from '../../../../domain/identity/refresh-family/decider';
import { idleSeconds, lifeSeconds, type Use, type World } from './family-world';

export type Name = keyof World['lines'];
export type PersonStep = 'bump' | 'end-all' | 'suspend' | 'reactivate' | 'compromise';
export type Step =
  | ({ readonly kind: 'use'; readonly name: Name; readonly back: number; readonly racers: number } & Omit<
      Use,
      'number'
    >)
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'revoke-family' | 'revoke-grant' | 'sign-in'; readonly name: Name }
  | { readonly kind: PersonStep };

const name = fc.constantFrom<Name>('bound', 'open');
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('use' as const),
      name,
      back: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, -1),
      racers: fc.constantFrom(1, 1, 1, 2, 4),
      key: fc.constantFrom('key', 'key', 'key', 'other', null),
      forged: fc.constantFrom(false, false, false, false, true),
      cut: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, graceSeconds, graceSeconds + 1, idleSeconds - 1, idleSeconds, lifeSeconds),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom<'revoke-family' | 'revoke-grant' | 'sign-in'>('revoke-family', 'revoke-grant', 'sign-in'),
      name,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom<PersonStep>('bump', 'end-all', 'suspend', 'reactivate', 'compromise'),
    }),
  },
);
