/** Refresh families under arbitrary operations: thousands of traces against a page of rules. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import type { PrincipalCommand } from '../../../../domain/identity/principal/decider';
import { refreshFamily } from '../../../../domain/identity/refresh-family/decider';
import { byAdmin, principalId } from '../../examples';
import { expectedByRules, freshFamily, type Run, seconds } from './family-rules';
import { type Name, type PersonStep, type Step, step } from './family-steps';
import { type Line, openWorld, type Use } from './family-world';

/** As the endpoint does it, on a state read before the others wrote; a command that comes too late reads again. */
const used = (
  { world }: Run,
  line: Line,
  [use, sight]: [Use, ReturnType<Line['family']['seen']>],
): number | undefined => {
  const { status, grantsNotBeforeEpoch: grantsFrom } = world.personState();
  const granted = line.granted.seen().state;
  const command = world.commandOf(line, use);
  const before = refreshFamily.decide(command, line.family.seen().state);
  const reuse = isRight(before) && before.right.some(({ type }) => type === 'FamilyCompromised');
  const { securityEpoch } = world.familyState(line);
  const stands =
    status === 'ACTIVE' && securityEpoch >= grantsFrom && granted.kind === 'grant' && granted.status === 'ACTIVE';
  if (!reuse && !stands) return undefined;
  let done = line.family.append(command, sight);
  if (done === 'conflict' || done === 'refused') done = line.family.append(command);
  const compromised =
    done !== 'refused' && done !== 'conflict' && done.some(({ type }) => type === 'FamilyCompromised');
  if ((compromised || done === 'refused') && use.cut !== true) world.contain(line);
  return done === 'refused' || done === 'conflict' || compromised ? undefined : use.number + 1;
};

const race = (run: Run, { name: whose, back, racers, ...how }: Extract<Step, { kind: 'use' }>): void => {
  const line = run.world.lines[whose];
  const use = { ...how, number: run.expected[whose].current - back };
  const sight = line.family.seen();
  for (let racer = 0; racer < racers; racer += 1) {
    const answer = used(run, line, [use, sight]);
    assert.equal(answer, expectedByRules(run, line, use));
    if (answer === undefined) continue;
    const key = `${whose}.${use.number}`;
    assert.equal(run.successors.get(key) ?? answer, answer, 'no token has two successors');
    run.successors.set(key, answer);
  }
};

const signIn = ({ world, expected, successors }: Run, name: Name): void => {
  const { status, securityEpoch } = world.personState();
  if (status !== 'ACTIVE') return;
  world.reopen(name);
  expected[name] = freshFamily(seconds(world), securityEpoch);
  for (const key of [...successors.keys()]) if (key.startsWith(`${name}.`)) successors.delete(key);
};

const reason = 'Asked for.';

/** What ends every family that the person has by now. */
const endAll = ({ world, expected }: Run, command: PrincipalCommand): void => {
  world.tell(command);
  for (const family of Object.values(expected)) family.worthless = true;
};

const toPerson = (run: Run, kind: PersonStep): unknown => {
  switch (kind) {
    case 'bump':
      return run.world.tell({ type: 'BumpEpoch', principalId, to: null, grants: 'kept', reason });
    case 'reactivate':
      return run.world.tell({ type: 'ReactivatePrincipal', principalId, reason, ...byAdmin });
    case 'end-all':
      return endAll(run, { type: 'BumpEpoch', principalId, to: null, grants: 'ended', reason });
    case 'suspend':
      return endAll(run, { type: 'SuspendPrincipal', principalId, reason, ...byAdmin });
    case 'compromise':
      return endAll(run, { type: 'MarkCompromised', principalId, incidentId: null, reason, ...byAdmin });
  }
};

const happen = (run: Run, step: Step): unknown => {
  const { world, expected } = run;
  switch (step.kind) {
    case 'use':
      return race(run, step);
    case 'wait':
      return world.wait(step.seconds);
    case 'sign-in':
      return signIn(run, step.name);
    case 'revoke-family':
      expected[step.name].over = true;
      return world.lines[step.name].family.append({ type: 'RevokeFamily', reason, ownedBy: null });
    case 'revoke-grant':
      expected[step.name].grantOver = true;
      return world.end(world.lines[step.name], { type: 'RevokeGrant', reason, ownedBy: null });
    case 'bump':
    case 'reactivate':
    case 'end-all':
    case 'suspend':
    case 'compromise':
      return toPerson(run, step.kind);
  }
};

/** By the state of every token ever issued. */
const living = ({ world, expected }: Run, line: Line): number => {
  const state = world.familyState(line);
  const numbers = Array.from({ length: expected[line.name as Name].current + 2 }, (_, number) => number);
  return numbers.filter((number) => {
    const decided = refreshFamily.decide(world.commandOf(line, { number, key: 'key' }), state);
    return isRight(decided) && decided.right.some(({ type }) => type === 'RefreshRotated');
  }).length;
};

const holds = (run: Run, epochBefore: number): void => {
  const { world, expected } = run;
  assert.ok(world.personState().securityEpoch >= epochBefore, 'an epoch never sinks');
  for (const line of Object.values(world.lines)) {
    const family = world.familyState(line);
    const { over, reused } = expected[line.name as Name];
    assert.ok(living(run, line) <= (over ? 0 : 1), 'at most one token lives, and none of what is over');
    assert.equal(family.status === 'COMPROMISED', reused, 'a family ends as compromised by reuse alone');
    if (line.incident.seen().revision < 0) continue;
    assert.ok(world.personState().securityEpoch > expected[line.name as Name].epoch, 'what was issued is denied');
    assert.notEqual((line.granted.seen().state as { status?: string }).status, 'ACTIVE');
  }
};

const traces = Number(process.env.FAMILY_TRACES ?? 3_000);

describe('refresh families, grants and epochs', () => {
  it(`keep to the rules over ${traces} traces`, () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const world = openWorld();
        const now = seconds(world);
        const run: Run = {
          world,
          expected: { bound: freshFamily(now), open: freshFamily(now) },
          successors: new Map(),
        };
        for (const one of steps) {
          const epoch = world.personState().securityEpoch;
          happen(run, one);
          holds(run, epoch);
        }
      }),
      { numRuns: traces },
    ));
});
