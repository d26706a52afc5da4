import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { type IncidentCommand, type IncidentState, incident } from '../../../domain/identity/incident/decider';
import type { IncidentEvent } from '../../../domain/identity/incident/events';
import { containmentSteps } from '../../../domain/identity/incident/steps';
import { plusSeconds } from '../../../domain/kernel/instant';
import { noon } from '../examples';
import { personId, reported } from './fixture';

const commands: fc.Arbitrary<IncidentCommand> = fc.oneof(
  fc.constantFrom('principal', 'grant', 'nothing').map((reach) => reported({ reach: reach as 'principal' })),
  {
    weight: 6,
    arbitrary: fc.constantFrom(...containmentSteps).map(
      (step): IncidentCommand => ({
        ...{ type: 'TakeContainmentStep', step, result: 'done', detail: 'Done.', sequence: null, at: noon },
      }),
    ),
  },
  fc.integer({ min: -10, max: 400 }).map(
    (seconds): IncidentCommand => ({
      ...{ type: 'RecoverIncident', principalId: personId, method: 'sign-in', securityEpoch: 3 },
      ...{ authenticatedAt: plusSeconds(noon, seconds), at: plusSeconds(noon, 310) },
    }),
  ),
  fc.constant<IncidentCommand>({ type: 'CloseIncident', reason: 'Over.', at: noon }),
);

const run = (given: readonly IncidentCommand[]) => {
  let state: IncidentState = incident.initial;
  const history: IncidentEvent[] = [];
  for (const command of given) {
    const decided = incident.decide(command, state);
    if (isLeft(decided)) continue;
    history.push(...decided.right);
    state = decided.right.reduce(incident.evolve, state);
    // A repetition changes nothing.
    const again = incident.decide(command, state);
    if (command.type !== 'RecoverIncident') assert.ok(!isLeft(again) && again.right.length === 0);
  }
  return { state, history };
};

describe('an incident, whatever is done to it', () => {
  it('takes its steps in the specified order, each once, and recovers or closes only after all of them', () =>
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 60 }), (given) => {
        const { history } = run(given);
        const steps = history.flatMap((event) => (event.type === 'ContainmentStepTaken' ? [event.data.step] : []));
        assert.deepEqual(steps, containmentSteps.slice(0, steps.length));
        const [opened] = history;
        const ended = history.findIndex(({ type }) => type === 'IncidentRecovered' || type === 'IncidentClosed');
        if (opened?.type !== 'IncidentOpened' || ended < 0) return;
        const before = history.slice(0, ended).filter(({ type }) => type === 'ContainmentStepTaken');
        assert.equal(before.length, opened.data.reach === 'nothing' ? 0 : containmentSteps.length);
      }),
    ));

  it('recovers once, by a proof that is later than it and fresh', () =>
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 60 }), (given) => {
        const recoveries = run(given).history.flatMap((event) =>
          event.type === 'IncidentRecovered' ? [event.data] : [],
        );
        assert.ok(recoveries.length <= 1);
        for (const { authenticatedAt } of recoveries)
          assert.ok(authenticatedAt > noon && authenticatedAt >= plusSeconds(noon, 10));
      }),
    ));
});
