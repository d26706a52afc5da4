import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import type { AuthenticatorCommand } from '../../../domain/identity/authenticators/commands';
import { authenticator } from '../../../domain/identity/authenticators/decider';
import { noon, principalId } from '../examples';

const about = { principalId, at: noon };
const hash = (number: number): string => number.toString(16).padStart(64, '0');
/** Of each batch its own. */
const batch = (number: number): readonly string[] => [0, 1, 2].map((index) => hash(number * 3 + index));

type Step =
  | { readonly kind: 'issue' | 'enrol' | 'use'; readonly number: number }
  | { readonly kind: 'remove'; readonly reason: string | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.nat(3).map((number) => ({ kind: 'issue' as const, number })) },
  { weight: 2, arbitrary: fc.nat(3).map((number) => ({ kind: 'enrol' as const, number })) },
  { weight: 6, arbitrary: fc.nat(11).map((number) => ({ kind: 'use' as const, number })) },
  { weight: 1, arbitrary: fc.constantFrom(null, 'Lost.').map((reason) => ({ kind: 'remove' as const, reason })) },
);

const commandOf = (of: Step, serial: number): AuthenticatorCommand => {
  switch (of.kind) {
    case 'issue':
      return { type: 'IssueRecoveryCodes', ...about, recovery: batch(of.number) };
    case 'enrol':
      return { type: 'EnrolTotp', ...about, seed: `seed${serial}`, recovery: batch(of.number) };
    case 'use':
      return { type: 'UseRecoveryCode', ...about, hash: hash(of.number) };
    case 'remove':
      return { type: 'RemoveTotp', ...about, reason: of.reason };
  }
};

describe('rules of recovery codes', () => {
  it('let each in once, of the last that were given out, while there is an app', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let person = authenticator.initial;
        let [live, left, hasApp] = [new Set<string>(), new Set<string>(), false];
        for (const [serial, one] of steps.entries()) {
          const command = commandOf(one, serial);
          const decided = authenticator.decide(command, person);
          const may = one.kind === 'use' ? hasApp && left.has(hash(one.number)) : one.kind !== 'issue' || hasApp;
          assert.equal(isRight(decided), may, JSON.stringify(command));
          if (!isRight(decided)) continue;
          person = decided.right.reduce(authenticator.evolve, person);
          if (one.kind === 'use') left.delete(hash(one.number));
          if (one.kind === 'remove') [live, left, hasApp] = [new Set(), new Set(), false];
          if (one.kind === 'enrol') hasApp = true;
          // A repeated command does not issue the same codes again.
          if (one.kind === 'issue' || one.kind === 'enrol') {
            const given = new Set(batch(one.number));
            if ([...given].some((code) => !live.has(code))) [live, left] = [given, new Set(given)];
          }
          assert.deepEqual([...person.unusedRecovery].sort(), [...left].sort());
        }
      }),
      { numRuns: 2_000 },
    ));
});
