import type { ClientId } from '../../../../domain/identity/ids';
import { pushedRequest } from '../../../../domain/identity/pushed-request/decider';
import type { PushedRequestEvent } from '../../../../domain/identity/pushed-request/events';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { given } from '../../../kernel/domain/given-when-then';
import { noon } from '../../examples';
import { applicationId as clientId, requestId } from './examples';

const data = { requestId, clientId, sealed: 'c2VhbGVk', pushedAt: noon, expiresAt: plusSeconds(noon, 90) };
const push = { type: 'PushRequest', ...data } as const;
const pushed: PushedRequestEvent = { type: 'RequestPushed', data };
const at = plusSeconds(noon, 1);
const open = { type: 'OpenRequest', requestId, clientId, at } as const;
const opened: PushedRequestEvent = { type: 'RequestOpened', data: { requestId, openedAt: at } };
const answers = {
  use: { type: 'UseRequest', requestId, at } as const,
  refuse: { type: 'RefuseRequest', requestId, at } as const,
};
const used: PushedRequestEvent = { type: 'RequestUsed', data: { requestId, usedAt: at } };
const refused: PushedRequestEvent = { type: 'RequestRefused', data: { requestId, refusedAt: at } };

describe('pushing a request', () => {
  it('pushes it', () => given(pushedRequest).when(push).then(pushed));
  it('does nothing the second time', () => given(pushedRequest, pushed).when(push).thenNothing());
  it('refuses another one under the same reference', () =>
    given(pushedRequest, pushed)
      .when({ ...push, sealed: 'b3RoZXI' })
      .rejects('request-differs'));
});

describe('opening a pushed request', () => {
  it('opens it', () => given(pushedRequest, pushed).when(open).then(opened));
  it('opens it again while the person may answer, and not after', () => {
    given(pushedRequest, pushed, opened)
      .when({ ...open, at: plusSeconds(at, 1_799) })
      .thenNothing();
    given(pushedRequest, pushed, opened)
      .when({ ...open, at: plusSeconds(at, 1_800) })
      .rejects('request-expired');
  });
  it('refuses one that was answered, however', () => {
    for (const answer of [used, refused])
      given(pushedRequest, pushed, opened, answer).when(open).rejects('request-used');
    given(pushedRequest, pushed, used).when(open).rejects('request-used');
  });
  it('refuses an unknown one', () => given(pushedRequest).when(open).rejects('request-unknown'));
  it('refuses another client, as if there were none', () =>
    given(pushedRequest, pushed)
      .when({ ...open, clientId: 'acme~app-2' as ClientId })
      .rejects('request-unknown'));
  it('refuses an expired one', () =>
    given(pushedRequest, pushed)
      .when({ ...open, at: plusSeconds(noon, 90) })
      .rejects('request-expired'));
});

describe('answering a pushed request', () => {
  it('answers it', () => {
    given(pushedRequest, pushed, opened).when(answers.use).then(used);
    given(pushedRequest, pushed, opened).when(answers.refuse).then(refused);
  });
  it('does nothing the second time', () => {
    given(pushedRequest, pushed, opened, used).when(answers.use).thenNothing();
    given(pushedRequest, pushed, opened, refused).when(answers.refuse).thenNothing();
  });
  it('refuses to answer it otherwise', () => {
    given(pushedRequest, pushed, opened, used).when(answers.refuse).rejects('request-used');
    given(pushedRequest, pushed, opened, refused).when(answers.use).rejects('request-used');
  });
  it('refuses an unknown one', () => given(pushedRequest).when(answers.use).rejects('request-unknown'));
});
