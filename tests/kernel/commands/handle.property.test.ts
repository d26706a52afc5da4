import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { add, type TallyCommand } from './tally';
import { commandIds, handleTally, recorded } from './tally-fixture';
import { openUnreliableStore } from './unreliable-event-store';

interface RequestedCommand {
  readonly commandId: string;
  readonly command: TallyCommand;
  readonly process: number;
}

const processes = 3;
const requestedCommand: fc.Arbitrary<RequestedCommand> = fc
  .record({ name: fc.integer({ min: 0, max: 5 }), process: fc.integer({ min: 0, max: processes - 1 }) })
  // A name always means the same command: one, two or three events.
  .map(({ name, process }) => ({
    commandId: `c-${name}`,
    command: name < 3 ? add(name) : { type: 'AddMany', times: name - 2 },
    process,
  }));

const mishaps = fc.array(fc.constantFrom('lost' as const, 'dropped' as const, 'away' as const), { maxLength: 6 });

/** Sends each command until it is answered, as careful callers do. */
const persist = async (send: () => ReturnType<typeof handleTally>): Promise<number> => {
  for (;;) {
    const outcome = await send();
    if (isRight(outcome)) return outcome.right.revision;
    assert.ok(outcome.left.kind === 'fault' || outcome.left.code === 'conflict', outcome.left.code);
  }
};

describe('handle, from several processes at once', () => {
  it('gives every command one effect and one answer, in a dense stream, whatever is repeated, lost or late', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(requestedCommand, { maxLength: 20 }),
        mishaps,
        async (scheduler, commands, lost) => {
          const store = openUnreliableStore();
          store.mishaps.push(...lost);
          const scheduled = {
            ...store,
            read: scheduler.scheduleFunction(store.read),
            append: scheduler.scheduleFunction(store.append),
          };
          const warm = Array.from({ length: processes }, () => createExclusiveAggregates({ longest: 4 }));
          const answers = Promise.all(
            commands.map(async ({ commandId, command, process }) => {
              const deps = { store: scheduled, ...(warm[process] === undefined ? {} : { warm: warm[process] }) };
              return [commandId, await persist(() => handleTally(deps, commandId, { command }))] as const;
            }),
          );
          const settled = scheduler.waitFor(answers);
          const revisions = await settled;
          const events = await recorded(store);
          const ids = commandIds(events);
          assert.deepEqual(
            events.map(({ revision }) => revision),
            events.map((_, index) => index),
          );
          for (const { commandId, command } of commands) {
            const own = ids.filter((id) => id === commandId).length;
            assert.equal(own, command.type === 'AddMany' ? command.times : 1, `${commandId} has one effect`);
          }
          for (const [commandId, revision] of revisions) assert.equal(revision, ids.lastIndexOf(commandId));
        },
      ),
      { numRuns: 100 },
    )).timeout(60_000);
});
