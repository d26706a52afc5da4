import { type SigningKeyCommand, signingKey } from '../../../domain/identity/signing-keys/decider';
import type { SigningKeyEvent } from '../../../domain/identity/signing-keys/events';
import { given } from '../../kernel/domain/given-when-then';
import {
  activated,
  adopt,
  created,
  first,
  later,
  next,
  publish,
  published,
  replace,
  retired,
  revoke,
  revoked,
  turn,
} from './examples';

const keys = (...history: readonly SigningKeyEvent[]) =>
  given<SigningKeyCommand, typeof signingKey.initial, SigningKeyEvent, string>(signingKey, ...history);

describe('the first signing key', () => {
  it('signs at once', () =>
    keys()
      .when(adopt('one'))
      .then(...first));
  it('is adopted once', () =>
    keys(...first)
      .when(adopt('other'))
      .thenNothing());
  it('is the last of those that signed before the log knew of keys; the others count on', () =>
    keys()
      .when(adopt('one', 'zero'))
      .then(created('zero'), published('zero'), retired('zero'), ...first));
  it('is no key that had its time', () =>
    keys(created('one'), published('one'), revoked('one')).when(adopt('one')).rejects('key-spent'));
});

describe('the next signing key', () => {
  it('is published', () =>
    keys(...first)
      .when(publish('two'))
      .then(...next));
  it('is published once', () =>
    keys(...first, ...next)
      .when(publish('two'))
      .thenNothing());
  it('is one at a time', () =>
    keys(...first, ...next)
      .when(publish('three'))
      .rejects('rotation-under-way'));
  it('does not sign before every cached list of keys has run out', () =>
    keys(...first, ...next)
      .when(turn('ActivateKey', 'two', 299))
      .rejects('key-too-new'));
  it('signs then, and the one before it is retired in the same breath', () =>
    keys(...first, ...next)
      .when(turn('ActivateKey', 'two', 300))
      .then(retired('one', later(300)), activated('two', later(300))));
  it('is activated once', () =>
    keys(...first)
      .when(turn('ActivateKey', 'one'))
      .thenNothing());
  it('is none that is not known', () =>
    keys(...first)
      .when(turn('ActivateKey', 'two'))
      .rejects('key-unknown'));
  it('is none that was retired or revoked', () => {
    for (const ended of [retired('two'), revoked('two')])
      keys(...first, ...next, ended)
        .when(turn('ActivateKey', 'two', 999))
        .rejects('key-spent');
  });
});

describe('retiring a signing key', () => {
  it('withdraws one that never signed', () =>
    keys(...first, ...next)
      .when(turn('RetireKey', 'two'))
      .then(retired('two')));
  it('puts the next in place of the active one', () =>
    keys(...first, ...next)
      .when(turn('RetireKey', 'one', 300))
      .then(retired('one', later(300)), activated('two', later(300))));
  it('always leaves an active key', () => {
    keys(...first)
      .when(turn('RetireKey', 'one'))
      .rejects('successor-missing');
    keys(...first, ...next)
      .when(turn('RetireKey', 'one', 299))
      .rejects('successor-missing');
  });
  it('is done once, and not after a revocation', () => {
    for (const ended of [retired('two'), revoked('two')])
      keys(...first, ...next, ended)
        .when(turn('RetireKey', 'two'))
        .thenNothing();
  });
  it('is of a key that is known', () =>
    keys(...first)
      .when(turn('RetireKey', 'two'))
      .rejects('key-unknown'));
});

describe('revoking a signing key', () => {
  it('puts a new one in its place in the same breath', () =>
    keys(...first)
      .when(revoke('one', 'two'))
      .then(revoked('one'), ...next, activated('two')));
  it('asks for that new one', () => {
    keys(...first)
      .when(revoke('one'))
      .rejects('replacement-missing');
    keys(...first, ...next)
      .when(revoke('one', 'two'))
      .rejects('replacement-missing');
  });
  it('needs none where the key does not sign', () => {
    keys(...first, ...next)
      .when(revoke('two'))
      .then(revoked('two'));
    keys(...first, ...next, retired('two'))
      .when(revoke('two', 'three'))
      .then(revoked('two'));
  });
  it('is done once', () =>
    keys(...first, ...next, revoked('two'))
      .when(revoke('two'))
      .thenNothing());
  it('is of a key that is known', () =>
    keys(...first)
      .when(revoke('two'))
      .rejects('key-unknown'));
});

describe('replacing a signing key that cannot sign', () => {
  it('is done at once, and what it signed counts', () =>
    keys(...first)
      .when(replace('one', 'two'))
      .then(...next, retired('one'), activated('two')));
  it('is nothing to do where it signs no more', () =>
    keys(...first, ...next, retired('one'), activated('two'))
      .when(replace('one', 'three'))
      .thenNothing());
  it('takes no key that is known already', () =>
    keys(...first, ...next)
      .when(replace('one', 'two'))
      .rejects('key-spent'));
});
