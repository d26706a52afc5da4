import assert from 'node:assert/strict';
import { signingKey } from '../../../domain/identity/signing-keys/decider';
import type { SigningKeyEvent } from '../../../domain/identity/signing-keys/events';
import { acceptedAt, destroyableKeysAt, rotationStepAt } from '../../../domain/identity/signing-keys/lifetimes';
import { fold } from '../../../domain/kernel/decider';
import { noon } from '../examples';
import { activated, first, later, next, retired, revoked } from './examples';

const known = (...history: readonly SigningKeyEvent[]) => fold(signingKey, signingKey.initial, history);
const kidsAt = (found: ReturnType<typeof acceptedAt>): readonly string[] =>
  found.map(({ kid }) => kid.replace(/_+$/, ''));

describe('the life of signing keys', () => {
  const rotated = [...first, ...next, retired('one', later(300)), activated('two', later(300))];

  it('counts those that sign, will sign, and signed within the longest life of a token', () => {
    assert.deepEqual(kidsAt(acceptedAt(known(...first, ...next), noon)), ['one', 'two']);
    assert.deepEqual(kidsAt(acceptedAt(known(...rotated), later(300 + 3_659))), ['one', 'two']);
    assert.deepEqual(kidsAt(acceptedAt(known(...rotated), later(300 + 3_660))), ['two']);
    assert.deepEqual(kidsAt(acceptedAt(known(...rotated, revoked('one', later(301))), later(301))), ['two']);
  });

  it('lets go of private parts once they are of no use', () => {
    assert.deepEqual(kidsAt(destroyableKeysAt(known(...rotated), later(300 + 3_659))), []);
    assert.deepEqual(kidsAt(destroyableKeysAt(known(...rotated), later(300 + 3_660))), ['one']);
    const gone = known(...rotated, revoked('one', later(400)));
    assert.deepEqual(kidsAt(destroyableKeysAt(gone, later(459))), []);
    assert.deepEqual(kidsAt(destroyableKeysAt(gone, later(460))), ['one']);
  });

  it('rotates what is old, and what was published', () => {
    const month = 30 * 86_400;
    assert.equal(rotationStepAt(known(), noon, { use: 'access-token', days: 30 }).kind, 'nothing');
    assert.equal(rotationStepAt(known(...first), later(month - 1), { use: 'access-token', days: 30 }).kind, 'nothing');
    assert.equal(rotationStepAt(known(...first), later(month), { use: 'access-token', days: 30 }).kind, 'prepare');
    assert.equal(rotationStepAt(known(...first), later(month), { use: 'access-token', days: 0 }).kind, 'nothing');
    assert.equal(
      rotationStepAt(known(...first, ...next), later(329), { use: 'access-token', days: 30 }).kind,
      'nothing',
    );
    assert.equal(
      rotationStepAt(known(...first, ...next), later(330), { use: 'access-token', days: 0 }).kind,
      'activate',
    );
  });
});
