import assert from 'node:assert/strict';
import { right } from 'fp-ts/Either';
import { bindProcess, commandTarget } from '../../../commands/kernel/processes/process-binding';
import type { Instant } from '../../../domain/kernel/codec';
import { cancel, enqueueJob, schedule, send } from '../../../domain/kernel/process';
import { added, tally } from '../commands/tally';
import { givenProcess } from './given-process';
import { addOnAdded, countOnOrder, type OrderEvent, reportQueue } from './sample-processes';

const placed: OrderEvent = { type: 'OrderPlaced', data: { customer: 'ada', amount: 3 } };
const at = '2026-02-01T00:00:00.000Z' as Instant;
const counted = (orders: number) => ({ type: 'OrderCounted', data: { orders } }) as const;
const add = (amount: number) => send('sample.tally', 'ada', { type: 'Add', amount } as const);

describe('a process, by its rules', () => {
  it('answers an event with state events and commands, by its earlier state events', () => {
    givenProcess(countOnOrder).when(placed).records(counted(1)).answers(add(3_001));
    givenProcess(countOnOrder, counted(1), counted(2)).when(placed).records(counted(3)).answers(add(3_003));
  });

  it('sets and cancels timers, and asks for work', () => {
    givenProcess(countOnOrder)
      .when({ type: 'ReminderWanted', data: { customer: 'ada', at } })
      .answers(schedule('reminder', at, add(9_000_000)));
    givenProcess(countOnOrder)
      .when({ type: 'ReminderDropped', data: { customer: 'ada' } })
      .answers(cancel('reminder'));
    givenProcess(countOnOrder)
      .when({ type: 'ReportWanted', data: { customer: 'ada' } })
      .answers(enqueueJob(reportQueue, { customer: 'ada' }, { mostAttempts: 3 }));
  });

  it('ignores what concerns none of its instances', () =>
    givenProcess(countOnOrder).ignores({ type: 'OrderViewed', data: { customer: 'ada' } }));

  it('needs no memory', () =>
    givenProcess(addOnAdded)
      .when({ type: 'Closed', data: { why: 'done' } })
      .does('nothing'));

  it('fails when the rule is another', () => {
    assert.throws(() => givenProcess(countOnOrder).when(placed).answers(add(1)));
    assert.throws(() => givenProcess(countOnOrder).when(placed).records(counted(2)));
    assert.throws(() => givenProcess(countOnOrder).when(placed).does('nothing'));
    assert.throws(() => givenProcess(countOnOrder).ignores(placed));
    assert.throws(() => givenProcess(countOnOrder).when({ type: 'OrderViewed', data: { customer: 'ada' } }));
  });
});

describe('binding a process', () => {
  it('refuses names that make no stream, and state events named like the kernel’s own', () => {
    const targets = { 'sample.tally': commandTarget(tally) };
    assert.throws(() => bindProcess({ ...countOnOrder, name: 'Count' }, targets), /not a name/);
    const stateEvents = { ...countOnOrder.stateEvents, codecs: { Reacted: added(1) } } as never;
    assert.throws(() => bindProcess({ ...countOnOrder, stateEvents }, targets), /kernel's own/);
  });

  it('takes any decider that understands what is sent', () =>
    assert.ok(
      bindProcess(addOnAdded, {
        'sample.tally': async () => right({ revision: 0, position: 0n, events: [], repeated: false }),
      }),
    ));
});
