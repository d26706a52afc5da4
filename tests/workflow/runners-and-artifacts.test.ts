import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { type Decider, fold } from '../../domain/kernel/decider';
import type { DomainEvent } from '../../domain/kernel/family';
import { type ArtifactCommand, artifact, type StoredBytes } from '../../domain/workflow/artifact/decider';
import type { ArtifactEvent } from '../../domain/workflow/artifact/events';
import type { Checksum } from '../../domain/workflow/ids';
import { type Registration, type RunnerCommand, runner } from '../../domain/workflow/runner/decider';
import { historiesOf, twiceIsOnce } from '../support/domain/arbitrary';
import { historyOf } from '../support/domain/event-history';

const recorded = <Data>(type: string): Data =>
  historyOf('workflow').find((line) => line.type === type)?.data as unknown as Data;

/** Types of the events, or the rejection, of the last command after those before it. */
const outcomeOf =
  <Command, State, Event extends DomainEvent>(decider: Decider<Command, State, Event, string>) =>
  (...commands: readonly Command[]): string => {
    const state = commands.slice(0, -1).reduce((before, command) => {
      const decided = decider.decide(command, before);
      return isLeft(decided) ? before : fold(decider, before, decided.right);
    }, decider.initial);
    const decided = decider.decide(commands.at(-1) as Command, state);
    return isLeft(decided) ? decided.left.code : decided.right.map(({ type }) => type).join(' ');
  };

describe('a runner', () => {
  const registration: Registration = recorded('workflow.RunnerRegistered.v1');
  const { runnerId } = registration;
  const register = (name = 'build-1'): RunnerCommand => ({
    type: 'RegisterRunner',
    registration: { ...registration, name },
  });
  const drain: RunnerCommand = { type: 'DrainRunner', runnerId };
  const remove: RunnerCommand = { type: 'RemoveRunner', runnerId };
  const outcome = outcomeOf(runner);
  const histories = historiesOf(runner, fc.constantFrom(register(), register('build-2'), drain, remove));

  it('is registered once, drained and removed', () => {
    assert.equal(outcome(register()), 'RunnerRegistered');
    assert.equal(outcome(register(), register('build-2')), 'registration-used');
    assert.equal(outcome(register(), remove, register()), 'registration-used');
    assert.equal(outcome(register(), drain), 'RunnerDrained');
    assert.equal(outcome(register(), drain, remove), 'RunnerRemoved');
    assert.equal(outcome(register(), remove, drain), '');
    assert.equal(outcome(drain), 'runner-unknown');
    assert.equal(outcome(remove), 'runner-unknown');
  });

  it('is drained and removed with one effect however often it is called', () =>
    twiceIsOnce(runner, fc.constantFrom<RunnerCommand>(drain, remove)));

  it('begins with its registration, ends with its removal, and keeps its credential', () =>
    fc.assert(
      fc.property(histories, (history) => {
        const types = history.map(({ type }) => type);
        const expected = ['RunnerRegistered', 'RunnerDrained', 'RunnerRemoved'] as const;
        assert.deepEqual(
          types,
          expected.filter((type) => types.includes(type)),
        );
        const state = fold(runner, runner.initial, history);
        assert.equal(state.kind === 'none', history.length === 0);
        if (state.kind !== 'none') assert.equal(state.registration, history[0]?.data);
      }),
    ));
});

describe('an artifact', () => {
  type Definition = Extract<ArtifactEvent, { type: 'ArtifactCreated' }>['data'];
  const definition: Definition = recorded('workflow.ArtifactCreated.v1');
  const { artifactId, sizeBytes, checksum } = definition;
  const other = `sha256:${'b'.repeat(64)}` as Checksum;
  const create = (changes: Partial<Definition> = {}): ArtifactCommand => ({
    type: 'CreateArtifact',
    definition: { ...definition, ...changes },
  });
  const commit = (stored: Partial<StoredBytes> = {}): ArtifactCommand => ({
    type: 'CommitArtifact',
    artifactId,
    stored: { sizeBytes, checksum, ...stored },
  });
  const remove: ArtifactCommand = { type: 'DeleteArtifact', artifactId };
  const expire = (at: string): ArtifactCommand => ({ type: 'ExpireArtifact', artifactId, at: at as Instant });
  const afterwards = new Date(Date.parse(definition.expiresAt) + 1).toISOString();
  const outcome = outcomeOf(artifact);
  const stored = fc.record(
    {
      sizeBytes: fc.constantFrom(sizeBytes, sizeBytes + 1, 0),
      checksum: fc.constantFrom(checksum, other, null),
    },
    { noNullPrototype: true },
  );
  const commands: fc.Arbitrary<ArtifactCommand> = fc.oneof(
    fc.constantFrom(create(), create({ sizeBytes: sizeBytes + 1 }), create({ checksum: other }), remove),
    fc.constantFrom(expire(definition.expiresAt), expire(afterwards)),
    stored.map(commit),
  );
  const histories = historiesOf(artifact, commands);

  it('is created again with the same bytes only', () => {
    assert.equal(outcome(create()), 'ArtifactCreated');
    assert.equal(outcome(create(), create()), '');
    assert.equal(outcome(create(), create({ sizeBytes: sizeBytes + 1 })), 'artifact-exists');
    assert.equal(outcome(create(), create({ checksum: other })), 'artifact-exists');
    assert.equal(outcome(create(), commit(), remove, create()), 'artifact-deleted');
  });

  it('is committed once its bytes are those announced', () => {
    assert.equal(outcome(commit()), 'artifact-unknown');
    assert.equal(outcome(create(), commit()), 'ArtifactCommitted');
    assert.equal(outcome(create(), commit({ sizeBytes: sizeBytes + 1 })), 'artifact-differs');
    assert.equal(outcome(create(), commit({ checksum: other })), 'artifact-differs');
    assert.equal(outcome(create(), commit({ checksum: null })), 'artifact-differs');
    assert.equal(outcome(create(), commit(), remove, commit()), 'artifact-deleted');
  });

  it('is deleted once it is committed, and expires when its time has come or no commit comes', () => {
    const before = new Date(Date.parse(definition.expiresAt) - 1).toISOString();
    assert.equal(outcome(remove), 'artifact-unknown');
    assert.equal(outcome(create(), remove), 'artifact-uncommitted');
    assert.equal(outcome(create(), commit(), remove), 'ArtifactDeleted');
    assert.equal(outcome(create(), commit(), expire(before)), '');
    assert.equal(outcome(create(), commit(), expire(definition.expiresAt)), 'ArtifactDeleted');
    assert.equal(outcome(create(), expire(before)), 'ArtifactDeleted');
  });

  it('has an effect once', () => twiceIsOnce(artifact, commands));

  it('is created, then committed, then deleted, each at most once, and never has other bytes than at first', () =>
    fc.assert(
      fc.property(histories, commands, (history, command) => {
        const types = history.map(({ type }) => type);
        const expected = ['ArtifactCreated', 'ArtifactCommitted', 'ArtifactDeleted'] as const;
        assert.deepEqual(
          types,
          expected.filter((type) => types.includes(type)),
        );
        const before = fold(artifact, artifact.initial, history);
        const decided = artifact.decide(command, before);
        if (before.kind === 'none' || isLeft(decided)) return;
        const now = fold(artifact, before, decided.right);
        assert.ok(now.kind !== 'none' && now.definition === before.definition);
      }),
    ));

  it('is committed by no bytes but its own', () =>
    fc.assert(
      fc.property(histories, stored, (history, bytes) => {
        const state = fold(artifact, artifact.initial, history);
        const decided = artifact.decide(commit(bytes), state);
        const isCommitted = !isLeft(decided) && decided.right.length > 0;
        if (!isCommitted || state.kind === 'none') return assert.ok(!isCommitted);
        assert.deepEqual(bytes, { sizeBytes: state.definition.sizeBytes, checksum: state.definition.checksum });
      }),
    ));
});
