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
const use = { type: 'UseRequest', requestId, clientId, at } as const;
const used: PushedRequestEvent = { type: 'RequestUsed', data: { requestId, usedAt: at } };

describe('pushing a request', () => {
  it('pushes it', () => given(pushedRequest).when(push).then(pushed));
  it('does nothing the second time', () => given(pushedRequest, pushed).when(push).thenNothing());
  it('refuses another one under the same reference', () =>
    given(pushedRequest, pushed)
      .when({ ...push, sealed: 'b3RoZXI' })
      .rejects('request-differs'));
});

describe('using a pushed request', () => {
  it('uses it', () => given(pushedRequest, pushed).when(use).then(used));
  it('refuses it the second time', () => given(pushedRequest, pushed, used).when(use).rejects('request-used'));
  it('refuses an unknown one', () => given(pushedRequest).when(use).rejects('request-unknown'));
  it('refuses another client, as if there were none', () =>
    given(pushedRequest, pushed)
      .when({ ...use, clientId: 'acme~app-2' as ClientId })
      .rejects('request-unknown'));
  it('refuses an expired one', () =>
    given(pushedRequest, pushed)
      .when({ ...use, at: plusSeconds(noon, 90) })
      .rejects('request-expired'));
});
