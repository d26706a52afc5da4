import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRight, right } from 'fp-ts/Either';
import { type ForgetSubject, subject } from '../../../../domain/privacy/subject/decider';
import { subjects } from '../../../../domain/privacy/subject/events';
import { given } from '../../../kernel/domain/given-when-then';
import { twiceIsOnce } from '../../../support/domain/arbitrary';

const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const forget = (...keys: string[]): ForgetSubject => ({
  type: 'ForgetSubject',
  subject: hash,
  keys,
  reason: 'asked-for',
});
const forgotten = (...keys: string[]) =>
  ({ type: 'SubjectForgotten', data: { subject: hash, keys, reason: 'asked-for' } }) as const;

const commands = fc
  .array(fc.constantFrom('k-1', 'k-2', 'k-3'), { maxLength: 3 })
  .map((keys) => forget(...new Set(keys)));

describe('forgetting a subject', () => {
  it('records the keys that are gone', () => given(subject).when(forget('k-1')).then(forgotten('k-1')));
  it('is recorded also for an unknown subject', () => given(subject).when(forget()).then(forgotten()));
  it('is nothing new the second time', () => given(subject, forgotten('k-1')).when(forget('k-1')).thenNothing());
  it('is nothing new when nothing was kept since', () => given(subject, forgotten('k-1')).when(forget()).thenNothing());
  it('happens again when something was kept since', () =>
    given(subject, forgotten('k-1')).when(forget('k-1', 'k-2')).then(forgotten('k-2')));
  it('said twice is said once', () => twiceIsOnce(subject, commands));
  it('holds no word that anybody chose freely', () => {
    const { type, data } = subjects.encode(forgotten('k-1'));
    assert.deepEqual(subjects.decode(type, data), right(forgotten('k-1')));
    assert.equal(isRight(subjects.decode(type, { ...forgotten('k-1').data, reason: 'Ada asked for it' })), false);
  });
});
