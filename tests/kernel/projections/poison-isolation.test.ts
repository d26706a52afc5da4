import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import {
  counterProjection,
  counterStream,
  counterTable,
  newCounterEvent,
  recordTicks,
} from '../../support/domain/counter-context';
import { useProjectors } from '../../support/domain/projector-fixture';
import { eventually } from '../../support/waiting/eventually';

describe('poison event', () => {
  const { stage, log, table, run, ticksOf } = useProjectors();

  const poison = async (type: string, data: unknown): Promise<void> => {
    const event = { ...newCounterEvent({ type: 'CounterMade', data: { counterId: 'bad' } }), type, data };
    assert.ok(isRight(await stage.store.append(counterStream('bad'), 'any', [event])));
  };

  for (const [name, type, data] of [
    ['of an unknown type', 'ticks.CounterPainted.v1', {}],
    ['of a version to come', 'ticks.CounterMade.v9', { counterId: 'bad' }],
    ['without its fields', 'ticks.CounterMade.v1', { secretive: 'hush' }],
    ['that is no JSON', 'ticks.CounterMade.v1', 'bytes'],
  ] as const)
    it(`stops a view loudly at an event ${name}, and no other view`, async () => {
      await recordTicks(stage.store, 'c', 2);
      await poison(type, data);
      await recordTicks(stage.store, 'd', 2);
      const quiet = { ...counterProjection(counterTable('ticks_others')), sources: [] };
      const projector = run(counterProjection(table), quiet);
      await eventually(async () => assert.equal(projector.status()[0]?.phase, 'stopped'));
      assert.equal(await ticksOf('c'), 2);
      assert.equal(await ticksOf('d'), undefined);
      const detail = projector.status()[0]?.detail ?? '';
      assert.ok(detail.startsWith(`${type} at ${counterStream('bad')} revision 0: `), detail);
      const [said] = log.lines.filter(({ level }) => level === 'error');
      assert.equal(said?.fields.stream, counterStream('bad'));
      assert.equal(said.fields.revision, 0);
      assert.ok(!JSON.stringify(log.lines).includes('hush'));
      await eventually(async () => assert.equal(projector.status()[1]?.phase, 'live'));
    });
});
