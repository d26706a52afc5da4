import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { SessionId } from '../../../domain/identity/ids';
import { session } from '../../../domain/identity/session/decider';
import { signInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import type { ProviderId } from '../../../domain/identity/sign-in-policy/events';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { evening, noon, principalId } from '../examples';

describe('the rules of a tenant for signing in', () => {
  const rules = { mfa: 'enrolled', passwords: true, passkeys: true, sessionSeconds: 43_200 } as const;
  const provider = {
    providerId: 'p' as ProviderId,
    name: 'P',
    issuer: 'https://p.example',
    clientId: 'c',
    provisioning: 'off' as const,
    domains: [],
    mfaContexts: [],
  };
  const set = (more: object = {}) =>
    ({
      type: 'SetSignInPolicy',
      rules,
      providers: [],
      tenantAct: 'granted',
      callerMethods: null,
      confirmsRemovedMethods: false,
      ...more,
    }) as const;
  const policyAfter = (...commands: ReturnType<typeof set>[]) =>
    commands.reduce((state, command) => {
      const events = signInPolicy.decide(command, state);
      assert.ok(isRight(events));
      return events.right.reduce(signInPolicy.evolve, state);
    }, signInPolicy.initial);

  it('keeps a password that is not said again, and forgets the provider that is left out', () => {
    const known = policyAfter(set({ providers: [{ ...provider, password: 'hush' }] }), set({ providers: [provider] }));
    assert.equal(known.providers.get('p')?.password, 'hush');
    assert.equal(policyAfter(set({ providers: [provider] }), set({ confirmsRemovedMethods: true })).providers.size, 0);
    const again = signInPolicy.decide(set({ providers: [provider] }), known);
    assert.deepEqual(again, { _tag: 'Right', right: [] });
  });

  it('refuses a policy without a sign-in method, and two providers with one name', () => {
    const shut = signInPolicy.decide(
      set({ rules: { ...rules, passwords: false, passkeys: false } }),
      signInPolicy.initial,
    );
    const twice = signInPolicy.decide(set({ providers: [provider, provider] }), signInPolicy.initial);
    assert.ok(isLeft(shut) && shut.left.code === 'no-way-in');
    assert.ok(isLeft(twice) && twice.left.code === 'provider-twice');
  });

  describe('removing a sign-in method', () => {
    const passkey = { passkeyId: 'k', publicKey: 'p', counter: 0, transports: [], name: 'Laptop', addedAt: noon };
    const nothing = { password: null, passkeys: new Map(), upstreams: [] };
    const byPassword = { ...nothing, password: 'hash' };
    const onlyPasskeys = { ...rules, passwords: false };
    const decided = (command: ReturnType<typeof set>, state = signInPolicy.initial) => {
      const done = signInPolicy.decide(command, state);
      return isLeft(done) ? done.left : done.right.length;
    };

    it('is refused to who could not sign in again, with what they have', () => {
      const more = { rules: onlyPasskeys, callerMethods: byPassword, confirmsRemovedMethods: true };
      assert.deepEqual(decided(set(more)), {
        kind: 'rejection',
        code: 'own-way-in',
        detail:
          'You have a password, no passkeys and no linked providers: by this policy you could not sign in again. Add a way that it allows to your account first.',
      });
      const withPasskey = { ...byPassword, passkeys: new Map([['k', passkey]]) };
      assert.equal(decided(set({ ...more, callerMethods: withPasskey })), 1);
      assert.equal(decided(set({ ...more, callerMethods: nothing })), 1, 'nothing is lost');
    });

    it('is refused to who signs in by the provider that it removes', () => {
      const before = policyAfter(set({ providers: [provider] }));
      const linked = { ...nothing, upstreams: [{ issuer: provider.issuer, subjectHash: 'h' }] };
      const refused = decided(set({ callerMethods: linked, confirmsRemovedMethods: true }), before);
      assert.ok(typeof refused === 'object' && refused.code === 'own-way-in');
    });

    it('needs a confirmation, for people who have no other', () => {
      const refused = decided(set({ rules: onlyPasskeys }));
      assert.ok(typeof refused === 'object' && refused.code === 'removal-unconfirmed');
      assert.equal(decided(set({ rules: onlyPasskeys, confirmsRemovedMethods: true })), 1);
      assert.equal(decided(set({ rules: { ...rules, mfa: 'required' } })), 1);
    });
  });
});

describe('a session', () => {
  const sessionId = 'a'.repeat(64) as SessionId;
  const opened = {
    sessionId,
    principalId,
    secretHash: 'b'.repeat(64),
    securityEpoch: 1,
    authenticatedAt: noon,
    methods: ['pwd'],
    upstreamIssuer: null,
    expiresAt: evening,
    device: null,
    sourceIp: null,
  };
  const open = session.evolve(session.initial, { type: 'SessionOpened', data: opened });
  const up = {
    type: 'StepUpSession',
    sessionId,
    principalId,
    secretHash: 'c'.repeat(64),
    methods: ['hwk'],
    at: noon,
  } as const;
  const end = { type: 'EndSession', sessionId, reason: 'Over.' } as const;
  const code = (decided: ReturnType<typeof session.decide>) =>
    isLeft(decided) ? decided.left.code : decided.right.length;

  it('begins, is stepped up under another secret, and ends once', () => {
    const stepped = session.decide(up, open);
    assert.ok(isRight(stepped));
    const next = stepped.right.reduce(session.evolve, open);
    assert.ok(next.kind === 'open' && next.session.secretHash === up.secretHash);
    assert.equal(code(session.decide(up, next)), 0);
    const ended = session.decide(end, next);
    assert.ok(isRight(ended));
    assert.equal(code(session.decide(end, ended.right.reduce(session.evolve, next))), 0);
  });

  it('cannot be stepped up by another person or after its end', () => {
    assert.equal(code(session.decide({ ...up, principalId: 'p-2' as PrincipalId }, open)), 'session-differs');
    assert.equal(code(session.decide({ ...up, at: evening }, open)), 'session-over');
    assert.equal(code(session.decide(end, session.initial)), 'session-unknown');
    const again = { type: 'OpenSession', session: { ...opened, secretHash: 'd'.repeat(64) } } as const;
    assert.equal(code(session.decide(again, open)), 'session-differs');
  });
});
