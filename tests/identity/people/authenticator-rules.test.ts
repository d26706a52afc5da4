import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { authenticator } from '../../../domain/identity/authenticators/decider';
import { checkPassword } from '../../../domain/identity/authenticators/password-policy';
import { identifierClaim } from '../../../domain/identity/identifier-claim/decider';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { evening, noon, principalId } from '../examples';

const passkey = {
  type: 'AddPasskey',
  principalId,
  at: noon,
  enrolment: null,
  passkeyId: 'key-1',
  publicKey: 'cose',
  counter: 1,
  transports: [],
  name: 'Laptop',
} as const;
const password = { type: 'SetPassword', principalId, at: noon, enrolment: null, hash: 'h-1' } as const;

describe('ways to sign in', () => {
  const made = (...commands: Parameters<typeof authenticator.decide>[0][]) =>
    commands.reduce((state, command) => {
      const events = authenticator.decide(command, state);
      assert.ok(isRight(events), command.type);
      return events.right.reduce(authenticator.evolve, state);
    }, authenticator.initial);
  const refuses = (state: ReturnType<typeof made>, command: Parameters<typeof authenticator.decide>[0]): string => {
    const decided = authenticator.decide(command, state);
    return isLeft(decided) ? decided.left.code : 'not refused';
  };
  const nothing = (state: ReturnType<typeof made>, command: Parameters<typeof authenticator.decide>[0]): void =>
    assert.deepEqual(authenticator.decide(command, state), { _tag: 'Right', right: [] });

  it('does nothing the second time', () => {
    const seed = { type: 'EnrolTotp', principalId, seed: 'AAAA', recovery: ['r-1'], at: noon } as const;
    const profile = { type: 'SetProfile', principalId, login: 'ada', displayName: 'Ada', email: null } as const;
    const label = { type: 'LabelPrincipal', principalId, label: 'Nightly build' } as const;
    for (const command of [passkey, password, seed, profile, label]) nothing(made(command), command);
  });

  it('keeps one way in', () => {
    const remove = { type: 'RemovePasskey', principalId, passkeyId: 'key-1', at: noon, reason: null } as const;
    assert.equal(refuses(made(passkey), remove), 'last-way-in');
    assert.equal(refuses(made(password), { type: 'RemovePassword', principalId, at: noon }), 'last-way-in');
    assert.equal(made(passkey, password, remove).passkeys.size, 0);
  });

  it('keeps one way in that the tenant allows', () => {
    const accepted = { passwords: true, passkeys: false, issuers: [] };
    const remove = { type: 'RemovePassword', principalId, at: noon } as const;
    assert.equal(refuses(made(passkey, password), { ...remove, accepted }), 'last-way-in');
    assert.equal(
      refuses(made(passkey, password), { ...remove, accepted: { ...accepted, passkeys: true } }),
      'not refused',
    );
  });

  it('is taken what was lost, though nothing be left, once and with the reason', () => {
    const [reason, seed] = [
      'Lost the phone.',
      { type: 'EnrolTotp', principalId, seed: 'AAAA', recovery: ['r-1'], at: noon } as const,
    ];
    const key = { type: 'RemovePasskey', principalId, passkeyId: 'key-1', at: noon, reason } as const;
    const app = { type: 'RemoveTotp', principalId, at: noon, reason } as const;
    const left = made(passkey, seed, key, app);
    assert.deepEqual([left.passkeys.size, left.totp], [0, null]);
    for (const command of [key, app]) nothing(left, command);
    const decided = authenticator.decide(key, made(passkey));
    assert.ok(isRight(decided) && decided.right[0]?.type === 'PasskeyRemoved');
    assert.equal(decided.right[0].data.reason, reason);
  });

  it('refuses a passkey that counts backwards, or stands still: it was copied', () => {
    const use = (counter: number) => ({ type: 'UsePasskey', principalId, passkeyId: 'key-1', counter }) as const;
    assert.equal(made(passkey, use(5)).passkeys.get('key-1')?.counter, 5);
    for (const counter of [0, 3, 5]) assert.equal(refuses(made(passkey, use(5)), use(counter)), 'passkey-copied');
    nothing(made({ ...passkey, counter: 0 }), use(0));
    assert.equal(refuses(made(passkey), { ...use(2), passkeyId: 'other' }), 'passkey-unknown');
  });

  it('takes an enrolment once, in time, and only the newest', () => {
    const issue = (hash: string) =>
      ({ type: 'IssueEnrolment', principalId, hash, at: noon, expiresAt: evening }) as const;
    const enrol = { ...password, enrolment: 'e-1' };
    assert.equal(made(issue('e-1'), enrol).enrolment, null);
    assert.equal(refuses(made(issue('e-1'), enrol), { ...enrol, hash: 'h-2' }), 'enrolment-spent');
    assert.equal(refuses(made(issue('e-1'), issue('e-2')), enrol), 'enrolment-spent');
    assert.equal(refuses(made(issue('e-1')), { ...enrol, at: evening }), 'enrolment-spent');
    assert.equal(refuses(made(), enrol), 'enrolment-spent');
  });

  it('holds twenty passkeys', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ ...passkey, passkeyId: `key-${index}` }));
    assert.equal(refuses(made(...many), { ...passkey, passkeyId: 'key-21' }), 'too-many-passkeys');
    assert.equal(refuses(made(passkey), { ...passkey, publicKey: 'another' }), 'passkey-known');
  });

  it('gives a login to one person until they let it go', () => {
    const take = (who: string) => ({ type: 'ClaimIdentifier', principalId: who as PrincipalId, at: noon }) as const;
    const owned = { owner: principalId };
    assert.deepEqual(identifierClaim.decide(take(principalId), owned), { _tag: 'Right', right: [] });
    const other = identifierClaim.decide(take('p-2'), owned);
    assert.ok(isLeft(other));
    assert.deepEqual(identifierClaim.decide({ ...take('p-2'), type: 'ReleaseIdentifier' }, owned), {
      _tag: 'Right',
      right: [],
    });
    const released = identifierClaim.decide({ ...take(principalId), type: 'ReleaseIdentifier' }, owned);
    assert.ok(isRight(released) && released.right.reduce(identifierClaim.evolve, owned).owner === null);
  });

  it('refuses passwords that are tried first, and takes long ones of any script', () => {
    const weak = [
      'short',
      'password12345',
      'Passw0rd!!!!!!',
      'aaaaaaaaaaaaaa',
      'qwertyuiop123456',
      'ada.lovelace12',
      '123456789012',
    ];
    for (const one of weak) assert.ok(isLeft(checkPassword(one, 'ada.lovelace@example.org')), one);
    for (const one of ['a quiet lamp by the sea', 'пятьдесят голубей', 'x9!kQ2-vB7mL'])
      assert.ok(isRight(checkPassword(one, 'ada')), one);
    assert.ok(isLeft(checkPassword('long '.repeat(60), 'ada')));
  });
});
