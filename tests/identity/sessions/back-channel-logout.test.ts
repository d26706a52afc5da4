/** Clients that are notified of the end of a session: which they are, when it ends, and what they are sent. */
import assert from 'node:assert/strict';
import { isRight, left, right } from 'fp-ts/Either';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { performLogoutNotification } from '../../../commands/identity/sessions/notify-client';
import { signClientIn } from '../../../commands/identity/sessions/sign-client-in';
import { clients } from '../../../domain/identity/client/events';
import { endSessionsOnSecurityEpochBumped } from '../../../domain/identity/end-sessions-on-security-epoch-bumped/process';
import type { ClientId, SessionId } from '../../../domain/identity/ids';
import {
  logoutNotificationQueue,
  notifyOnClientSignedOut,
} from '../../../domain/identity/notify-on-client-signed-out/process';
import { registrationPolicies, registrationPolicyStream } from '../../../domain/identity/registration-policy/events';
import { maxSignedInClients, session } from '../../../domain/identity/session/decider';
import { type SessionEvent, sessionStream, sessions } from '../../../domain/identity/session/events';
import { plusSeconds } from '../../../domain/kernel/instant';
import { enqueueJob, send } from '../../../domain/kernel/process';
import { fault } from '../../../domain/kernel/rejection';
import { given } from '../../kernel/domain/given-when-then';
import { givenProcess } from '../../kernel/processes/given-process';
import { evening, noon, principalId, tenantId } from '../examples';
import { issuer, openProcess, openShared, record, registerApplication } from '../grants/fixture';

const sessionId = 'ab'.repeat(32) as SessionId;
const [app, other] = ['acme~app', 'acme~other'] as ClientId[] as [ClientId, ClientId];
const reason = 'Left the company.';
const logoutUri = 'https://app.example/backchannel-logout';

const opened = {
  type: 'SessionOpened',
  data: {
    sessionId,
    principalId,
    secretHash: 'c'.repeat(64),
    securityEpoch: 2,
    authenticatedAt: noon,
    methods: ['pwd' as const],
    upstreamIssuer: null,
    expiresAt: evening,
    device: null,
    sourceIp: null,
  },
} as const satisfies SessionEvent;
const signedIn = (clientId: ClientId, changes: object = {}): Extract<SessionEvent, { type: 'ClientSignedIn' }> => ({
  type: 'ClientSignedIn',
  data: { sessionId, principalId, clientId, securityEpoch: 2, expiresAt: evening, ...changes },
});
const signedOut = (clientId: ClientId): Extract<SessionEvent, { type: 'ClientSignedOut' }> => ({
  type: 'ClientSignedOut',
  data: { sessionId, principalId, clientId },
});
const ended: SessionEvent = { type: 'SessionEnded', data: { sessionId, principalId, reason } };
const endSession = { type: 'EndSession', sessionId, reason } as const;
const signIn = (clientId: ClientId) => ({ type: 'SignClientIn', sessionId, clientId }) as const;

describe('the clients of a session', () => {
  it('are recorded once each', () => {
    given(session, opened).when(signIn(app)).then(signedIn(app));
    given(session, opened, signedIn(app)).when(signIn(app)).thenNothing();
  });
  it('are told of its end with it', () =>
    given(session, opened, signedIn(app), signedIn(other))
      .when(endSession)
      .then(ended, signedOut(app), signedOut(other)));
  it('are told once', () =>
    given(session, opened, signedIn(app), ended, signedOut(app)).when(endSession).thenNothing());
  it('do not sign into a session that ended, or that there is not', () => {
    given(session, opened, ended).when(signIn(app)).rejects('session-over');
    given(session).when(signIn(app)).rejects('session-unknown');
  });
  it('are no more than one append can tell', () => {
    const many = Array.from({ length: maxSignedInClients }, (_, index) => signedIn(`acme~app-${index}` as ClientId));
    given(session, opened, ...many)
      .when(signIn(app))
      .rejects('session-full');
  });
});

describe('the process that tells clients', () => {
  it('queues a call for each', () =>
    givenProcess(notifyOnClientSignedOut)
      .when(signedOut(app), { entityId: sessionId })
      .answers(enqueueJob(logoutNotificationQueue, { clientId: app, principalId, sessionId }, { mostAttempts: 44 })));
  it('leaves sessions alone that no client is to be told of', () => {
    for (const event of [opened, ended, signedIn(app)]) givenProcess(notifyOnClientSignedOut).ignores(event);
  });
});

describe('the process that ends sessions with all that a person has', () => {
  const followed = {
    type: 'SessionFollowed',
    data: { sessionId, securityEpoch: 2, expiresAt: evening, followedAt: noon },
  } as const;
  const bumped = (to: number, grants: 'ended' | 'kept' = 'ended') =>
    ({ type: 'SecurityEpochBumped', data: { principalId, from: to - 1, to, grants, reason } }) as const;
  const end = send('identity.session', sessionId, endSession);

  it('follows sessions that clients are to be told of, once each', () => {
    givenProcess(endSessionsOnSecurityEpochBumped).when(signedIn(app)).records(followed);
    givenProcess(endSessionsOnSecurityEpochBumped, followed).when(signedIn(other)).does('nothing');
  });
  it('ends them', () =>
    givenProcess(endSessionsOnSecurityEpochBumped, followed)
      .when(bumped(3))
      .answers(end)
      .records({ type: 'SessionsVoided', data: { securityEpoch: 3 } }));
  it('ends one that a client signed into after it was void', () =>
    givenProcess(endSessionsOnSecurityEpochBumped, { type: 'SessionsVoided', data: { securityEpoch: 3 } })
      .when(signedIn(app))
      .answers(send('identity.session', sessionId, { ...endSession, reason: 'The earlier sessions were ended.' })));
  it('ends none that ended, expired, or is of a later epoch', () => {
    const over = { type: 'SessionFollowedNoMore', data: { sessionId } } as const;
    givenProcess(endSessionsOnSecurityEpochBumped, followed).when(signedOut(app)).records(over);
    const voided = { type: 'SessionsVoided', data: { securityEpoch: 3 } } as const;
    givenProcess(endSessionsOnSecurityEpochBumped, followed, over).when(bumped(3)).answers().records(voided);
    givenProcess(endSessionsOnSecurityEpochBumped, followed).when(bumped(3), { at: evening }).answers().records(voided);
    givenProcess(endSessionsOnSecurityEpochBumped, voided)
      .when(signedIn(app, { securityEpoch: 3 }))
      .answers()
      .records({ ...followed, data: { ...followed.data, securityEpoch: 3 } });
  });
  it('leaves them where grants go on', () => givenProcess(endSessionsOnSecurityEpochBumped).ignores(bumped(3, 'kept')));
  it('forgets sessions that expired when another begins', () => {
    const late = plusSeconds(evening, 1);
    const state = [
      followed,
      {
        ...followed,
        data: {
          ...followed.data,
          sessionId: 'cd'.repeat(32) as SessionId,
          followedAt: late,
          expiresAt: plusSeconds(late, 60),
        },
      },
    ].reduce(endSessionsOnSecurityEpochBumped.evolve, endSessionsOnSecurityEpochBumped.initial);
    assert.deepEqual(
      state.sessions.map((one) => one.sessionId),
      ['cd'.repeat(32)],
    );
  });
});

describe('the call to a client', () => {
  const run = {
    signal: new AbortController().signal,
    reportProgress: () => undefined,
    checkpoint: async () => undefined,
    isLastAttempt: () => false,
    onKill: () => undefined,
  };
  const start = async (backchannelLogoutUri: string | null, answer: number | 'nothing' = 200) => {
    const shared = openShared();
    const clientId = await registerApplication(shared, 'app', { backchannelLogoutUri });
    const sent: { readonly address: string; readonly token: string }[] = [];
    const perform = performLogoutNotification({
      ...shared,
      signer: shared.kms,
      postForm: async (address, { logout_token: token = '' }) => {
        sent.push({ address, token });
        return answer === 'nothing' ? left(fault('remote-unavailable', 'The address does not answer.')) : right(answer);
      },
    });
    const payload = { clientId, principalId, sessionId };
    const job = {
      id: '1',
      queue: logoutNotificationQueue.name,
      kind: 'k',
      key: 'k',
      tenant: tenantId,
      payload,
    } as never;
    return { shared, sent, perform: () => perform(job, run) };
  };

  it('is a logout token of a few minutes, of its own each time', async () => {
    const { sent, perform } = await start(logoutUri);
    for (let times = 0; times < 2; times += 1) assert.deepEqual(await perform(), right([]));
    const [one, again] = sent;
    assert.ok(one !== undefined && again !== undefined);
    assert.equal(one.address, logoutUri);
    assert.equal(decodeProtectedHeader(one.token).typ, 'logout+jwt');
    const { jti, ...claims } = decodeJwt(one.token);
    const second = Date.parse(noon) / 1000;
    assert.deepEqual(claims, {
      iss: issuer,
      sub: principalId,
      aud: 'acme~app',
      iat: second,
      exp: second + 120,
      sid: sessionId,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    assert.notEqual(jti, decodeJwt(again.token).jti);
  });

  it('names a client whose id is a URL as its ID tokens do, and is signed by what signs those', async () => {
    const { shared, sent, perform } = await start(logoutUri);
    const metadataUrl = 'https://tools.example/client.json';
    const itself = { applicationId: 'app' as never, metadataUrl };
    await record(shared, ['identity.client-acme.app', clients], [{ type: 'ClientRegisteredItself', data: itself }]);
    const opened = { audiences: [], metadataHosts: ['tools.example'] };
    const policy = { type: 'RegistrationPolicySet' as const, data: opened };
    await record(shared, [registrationPolicyStream(tenantId), registrationPolicies], [policy]);
    assert.deepEqual(await perform(), right([]));
    assert.equal(decodeJwt(sent[0]?.token ?? '').aud, metadataUrl);
    assert.equal(decodeProtectedHeader(sent[0]?.token ?? '').alg, 'RS256');
  });

  for (const [status, isDone] of [
    [200, true],
    [204, true],
    [307, false],
    [400, false],
    [404, false],
    [500, false],
    ['nothing', false],
  ] as const)
    it(`is ${isDone ? 'done' : 'made again'} after ${status}`, async () => {
      const { perform } = await start(logoutUri, status);
      const outcome = await perform();
      assert.equal(isRight(outcome), isDone);
      if (!isRight(outcome)) assert.equal(outcome.left.kind, 'transient');
    });

  it('is not made to who takes none, or is disabled', async () => {
    const none = await start(null);
    assert.deepEqual([await none.perform(), none.sent], [right([]), []]);
    const disabled = await start(logoutUri);
    await record(
      disabled.shared,
      ['identity.client-acme.app', clients],
      [{ type: 'ClientDisabled', data: { applicationId: 'app' as never, reason } }],
    );
    assert.deepEqual([await disabled.perform(), disabled.sent], [right([]), []]);
  });
});

describe('a client that signs in', () => {
  const deps = async (...events: readonly SessionEvent[]) => {
    const shared = openShared();
    await record(shared, [sessionStream(tenantId, sessionId), sessions], events);
    return openProcess(shared);
  };
  const signing = (backchannelLogoutUri: string | null) => ({
    tenantId,
    sessionId,
    clientId: app,
    application: { backchannelLogoutUri },
    requestId: 'r-1',
  });

  it('is recorded where it is to be told, and nothing is written for others', async () => {
    const world = await deps(opened);
    assert.ok(isRight(await signClientIn(world, signing(null))));
    const types = async () => {
      const read = await world.store.read(sessionStream(tenantId, sessionId));
      assert.ok(isRight(read));
      return read.right.map(({ type }) => type);
    };
    assert.deepEqual(await types(), ['identity.SessionOpened.v1']);
    for (let times = 0; times < 2; times += 1) assert.ok(isRight(await signClientIn(world, signing(logoutUri))));
    assert.deepEqual(await types(), ['identity.SessionOpened.v1', 'identity.ClientSignedIn.v1']);
  });

  it('learns that the session has ended meanwhile', async () => {
    const refused = await signClientIn(await deps(opened, ended), signing(logoutUri));
    assert.ok(!isRight(refused) && refused.left.code === 'session-over');
  });
});
