import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { right } from 'fp-ts/Either';
import type { Decider } from '../../../domain/kernel/decider';
import { historiesOf, twiceIsOnce } from '../../support/domain/arbitrary';
import {
  add,
  added,
  close,
  closed,
  type TallyCommand,
  type TallyEvent,
  type TallyState,
  tally,
} from '../commands/tally';
import { given } from './given-when-then';

describe('given, when, then', () => {
  it('reads as a rule', () => {
    given(tally).when(add(2)).then(added(2));
    given(tally, added(1)).when(close).then(closed);
    given(tally, closed).when(close).thenNothing();
    given(tally, closed).when(add(2)).rejects('tally-closed');
  });

  it('fails when the rule is another', () => {
    assert.throws(() => given(tally).when(add(2)).then(added(3)));
    assert.throws(() => given(tally).when(add(2)).then(added(2), added(2)));
    assert.throws(() => given(tally).when(add(2)).thenNothing());
    assert.throws(() => given(tally).when(add(2)).rejects('tally-closed'), /not refused/);
    assert.throws(() => given(tally, closed).when(add(2)).then(added(2)), /refused/);
  });
});

describe('twice is once', () => {
  const closing = fc.constant<TallyCommand>(close);
  const adding = fc.nat(9).map(add);

  it('holds for a command whose effect can be there already', () =>
    twiceIsOnce(tally, closing, historiesOf(tally, fc.oneof(adding, closing))));

  it('is not said of one that adds each time', () => assert.throws(() => twiceIsOnce(tally, adding)));

  it('is not said of a decider that forgets', () => {
    const forgetful: Decider<TallyCommand, TallyState, TallyEvent, 'tally-closed'> = {
      ...tally,
      decide: () => right([closed]),
    };
    assert.throws(() => twiceIsOnce(forgetful, closing));
  });
});
