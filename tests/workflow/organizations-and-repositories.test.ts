import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { type Decider, fold } from '../../domain/kernel/decider';
import type { DomainEvent } from '../../domain/kernel/family';
import type { PrincipalId } from '../../domain/kernel/ids';
import type { CommitSha, RepositoryId, TriggerEventId } from '../../domain/workflow/ids';
import { defaultSettings, type Plan, planLimits } from '../../domain/workflow/limits';
import { effectiveLimits, type OrganizationCommand, organization } from '../../domain/workflow/organization/decider';
import { type RepositoryCommand, repository } from '../../domain/workflow/repository/decider';
import { BranchName, RepositoryName } from '../../domain/workflow/repository/events';
import { type TriggerCommand, trigger } from '../../domain/workflow/trigger/decider';
import { historiesOf, twiceIsOnce } from '../support/domain/arbitrary';
import { historyOf } from '../support/domain/event-history';

const after = <Command, State, Event extends DomainEvent>(
  decider: Decider<Command, State, Event, string>,
  commands: readonly Command[],
): State =>
  commands.reduce((state, command) => {
    const decided = decider.decide(command, state);
    return isRight(decided) ? fold(decider, state, decided.right) : state;
  }, decider.initial);

/** Types of the events, or the rejection. */
const outcomeIn =
  <Command, State, Event extends DomainEvent>(decider: Decider<Command, State, Event, string>) =>
  (command: Command, ...before: readonly Command[]): string => {
    const decided = decider.decide(command, after(decider, before));
    return isLeft(decided) ? decided.left.code : decided.right.map(({ type }) => type).join();
  };

describe('an organization', () => {
  const outcome = outcomeIn(organization);
  const configure = (changes: Partial<OrganizationCommand> = {}): OrganizationCommand => ({
    type: 'ConfigureOrganization',
    ...defaultSettings,
    plan: 'team',
    ...changes,
  });

  it('is configured once with the same settings', () => {
    assert.equal(outcome(configure()), 'OrganizationConfigured');
    assert.equal(outcome(configure(), configure()), '');
    assert.equal(outcome(configure({ isolationPolicy: 'vm' }), configure()), 'OrganizationConfigured');
  });

  it('has at most the limits of its plan', () => {
    assert.equal(outcome(configure({ concurrencyLimit: planLimits.team.concurrentJobs + 1 })), 'limit-above-plan');
    assert.equal(outcome(configure({ minutesQuota: 3_001 })), 'limit-above-plan');
    assert.equal(outcome(configure({ plan: 'enterprise', minutesQuota: 90_000 })), 'OrganizationConfigured');
  });

  const settings = fc.record({
    plan: fc.constantFrom<Plan>('free', 'team', 'enterprise'),
    concurrencyLimit: fc.option(fc.integer({ min: 1, max: 1_000 })),
    minutesQuota: fc.option(fc.integer({ min: 0, max: 10_000 })),
  });

  it('has an effect once', () => twiceIsOnce(organization, settings.map(configure)));

  it('never has effective limits above its plan', () => {
    fc.assert(
      fc.property(fc.array(settings, { maxLength: 6 }), (changes) => {
        const state = after(organization, changes.map(configure));
        const { concurrentJobs, secondsPerMonth } = effectiveLimits(state);
        const plan = planLimits[state.plan];
        assert.ok(concurrentJobs <= plan.concurrentJobs);
        assert.ok(plan.minutesPerMonth === null || (secondsPerMonth ?? 0) <= plan.minutesPerMonth * 60);
      }),
    );
  });
});

describe('a repository', () => {
  const outcome = outcomeIn(repository);
  const repoId = 'repository-1' as RepositoryId;
  const create: RepositoryCommand = {
    type: 'CreateRepository',
    repoId,
    name: 'storefront',
    defaultBranch: 'main',
    host: 'septet',
    remoteUrl: null,
  };
  const rename = (defaultBranch: string): RepositoryCommand => ({
    type: 'ChangeDefaultBranch',
    repoId,
    defaultBranch,
  });
  const remove: RepositoryCommand = { type: 'DeleteRepository', repoId };

  it('is created once under its name, also after it was deleted', () => {
    assert.equal(outcome(create), 'RepositoryCreated');
    assert.equal(outcome(create, create), 'repository-name-taken');
    assert.equal(outcome(create, create, remove), 'repository-name-taken');
  });

  it('has one default branch', () => {
    assert.equal(outcome(rename('trunk'), create), 'DefaultBranchChanged');
    assert.equal(outcome(rename('main'), create), '');
    assert.equal(outcome(rename('main')), 'repository-unknown');
    assert.equal(outcome(rename('main'), create, remove), 'repository-unknown');
  });

  it('is deleted once', () => {
    assert.equal(outcome(remove, create), 'RepositoryDeleted');
    assert.equal(outcome(remove, create, remove), '');
    assert.equal(outcome(remove), 'repository-unknown');
  });

  const commands = fc.constantFrom(create, rename('main'), rename('trunk'), remove);

  it('has an effect once, but for its name, which is taken', () =>
    twiceIsOnce(
      repository,
      fc.constantFrom(rename('main'), rename('trunk'), remove),
      historiesOf(repository, commands),
    ));

  it('is created first and deleted last, and each change of its branch is one', () =>
    fc.assert(
      fc.property(historiesOf(repository, commands), (history) => {
        let branch: string | undefined;
        for (const [index, event] of history.entries()) {
          assert.equal(event.type === 'RepositoryCreated', index === 0);
          if (event.type === 'RepositoryDeleted') assert.equal(index, history.length - 1);
          if (event.type === 'RepositoryDeleted') return;
          assert.notEqual(event.data.defaultBranch, branch);
          branch = event.data.defaultBranch;
        }
      }),
    ));

  it('has a name that stands in a path, and branches that Git knows', () => {
    for (const name of ['storefront', 'a.b-c_d', '_x']) assert.ok(RepositoryName.is(name), name);
    for (const name of ['', '..', '.git', 'x.git', 'a/b', 'x.', '-x']) assert.ok(!RepositoryName.is(name), name);
    for (const branch of ['main', 'feature/one', 'v1.2']) assert.ok(BranchName.is(branch), branch);
    for (const branch of ['a..b', '-x', 'x.lock', 'a b', 'a//b', 'x/', 'a@{1}'])
      assert.ok(!BranchName.is(branch), branch);
  });
});

describe('an event of a repository', () => {
  const outcome = outcomeIn(trigger);
  const receive: TriggerCommand = {
    type: 'ReceiveTrigger',
    eventId: 'event-1' as TriggerEventId,
    repoId: 'repository-1' as RepositoryId,
    eventType: 'push',
    ref: 'refs/heads/main',
    branch: 'main',
    baseBranch: null,
    activity: null,
    commitSha: 'a'.repeat(40) as CommitSha,
    beforeSha: null,
    actorId: 'person-1' as PrincipalId,
    pullRequest: null,
    inputs: {},
    definitions: [],
  };

  it('is received once', () => {
    assert.equal(outcome(receive), 'TriggerReceived');
    assert.equal(outcome(receive, receive), '');
  });

  it('is received as it was delivered first, whatever is delivered after that', () => {
    const deliveries = fc
      .constantFrom('push', 'tag', 'workflow_dispatch')
      .map((eventType): TriggerCommand => ({ ...receive, eventType: eventType as TriggerCommand['eventType'] }));
    fc.assert(
      fc.property(fc.array(deliveries, { minLength: 1, maxLength: 20 }), (delivered) => {
        const history: unknown[] = [];
        let state = trigger.initial;
        for (const command of delivered) {
          const decided = trigger.decide(command, state);
          if (isLeft(decided)) return assert.fail('a delivery is never refused');
          history.push(...decided.right);
          state = fold(trigger, state, decided.right);
        }
        const { type: _, ...data } = delivered[0] as TriggerCommand;
        assert.deepEqual(history, [{ type: 'TriggerReceived', data }]);
      }),
    );
  });

  it('is accepted if a definition matches', () => {
    const recorded = historyOf('workflow').find(({ type }) => type === 'workflow.TriggerReceived.v1');
    const { definitions = [] } = (recorded?.data ?? {}) as Partial<TriggerCommand>;
    assert.ok(definitions.length > 0);
    const accepted = [[], definitions].map((each) => after(trigger, [{ ...receive, definitions: each }]));
    assert.deepEqual(accepted, [
      { kind: 'received', isAccepted: false },
      { kind: 'received', isAccepted: true },
    ]);
  });
});
