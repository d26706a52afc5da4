/** Pushed request: opened by its client before it expires, and answered once while the person may answer. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ClientId, PushedRequestId } from '../ids';
import { type PushedRequestEvent, pushedRequests } from './events';

export const pushedSeconds = 90;

/** From the first opening: leaves time to set up a second factor. */
export const openedSeconds = 1_800;

type Pushed = Extract<PushedRequestEvent, { type: 'RequestPushed' }>['data'];

type PushedContent = Pick<Pushed, 'clientId' | 'sealed' | 'expiresAt'>;

export type PushedRequestState =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'pushed' | 'used' | 'refused' } & PushedContent)
  | ({ readonly kind: 'opened'; readonly openedAt: Instant } & PushedContent);

export type PushRequest = { readonly type: 'PushRequest' } & Pushed;

/** Once, or again by the same reference: the page may be loaded again until the request is answered. */
export interface OpenRequest {
  readonly type: 'OpenRequest';
  readonly requestId: PushedRequestId;
  readonly clientId: ClientId;
  readonly at: Instant;
}

/** Before the answer leaves: of an approval and a refusal at once, one counts. */
export interface AnswerRequest {
  readonly type: 'UseRequest' | 'RefuseRequest';
  readonly requestId: PushedRequestId;
  readonly at: Instant;
}

export type PushedRequestCommand = PushRequest | OpenRequest | AnswerRequest;
export type PushedRequestRejection = 'request-differs' | 'request-unknown' | 'request-used' | 'request-expired';

type Decision = Either<Rejection<PushedRequestRejection>, readonly PushedRequestEvent[]>;

const evolve = (state: PushedRequestState, event: PushedRequestEvent): PushedRequestState => {
  switch (event.type) {
    case 'RequestPushed': {
      const { clientId, sealed, expiresAt } = event.data;
      return state.kind === 'none' ? { kind: 'pushed', clientId, sealed, expiresAt } : state;
    }
    case 'RequestOpened':
      return state.kind === 'pushed' ? { ...state, kind: 'opened', openedAt: event.data.openedAt } : state;
    case 'RequestUsed':
    case 'RequestRefused': {
      if (state.kind === 'none') return state;
      const { clientId, sealed, expiresAt } = state;
      return { kind: event.type === 'RequestUsed' ? 'used' : 'refused', clientId, sealed, expiresAt };
    }
  }
};

const push = ({ type: _, ...data }: PushRequest, state: PushedRequestState): Decision => {
  if (state.kind === 'none') return right([{ type: 'RequestPushed', data }]);
  return state.sealed === data.sealed
    ? right([])
    : reject('request-differs', 'A different request has this request_uri.');
};

const answered = () => reject('request-used', 'The pushed request was answered before.');

const open = ({ requestId, clientId, at }: OpenRequest, state: PushedRequestState): Decision => {
  if (state.kind === 'none' || state.clientId !== clientId)
    return reject('request-unknown', 'The client pushed no such request.');
  if (state.kind === 'used' || state.kind === 'refused') return answered();
  const expiresAt = state.kind === 'opened' ? plusSeconds(state.openedAt, openedSeconds) : state.expiresAt;
  if (at >= expiresAt) return reject('request-expired', 'The pushed request has expired.');
  return right(state.kind === 'opened' ? [] : [{ type: 'RequestOpened', data: { requestId, openedAt: at } }]);
};

/** The same answer again changes nothing: the code is the same as well. */
const answer = ({ type, requestId, at }: AnswerRequest, state: PushedRequestState): Decision => {
  const isUse = type === 'UseRequest';
  switch (state.kind) {
    case 'none':
      return reject('request-unknown', 'There is no such request.');
    case 'used':
      return isUse ? right([]) : answered();
    case 'refused':
      return isUse ? answered() : right([]);
    case 'pushed':
    case 'opened':
      return right([
        isUse
          ? { type: 'RequestUsed', data: { requestId, usedAt: at } }
          : { type: 'RequestRefused', data: { requestId, refusedAt: at } },
      ]);
  }
};

const decide = (command: PushedRequestCommand, state: PushedRequestState): Decision => {
  switch (command.type) {
    case 'PushRequest':
      return push(command, state);
    case 'OpenRequest':
      return open(command, state);
    case 'UseRequest':
    case 'RefuseRequest':
      return answer(command, state);
  }
};

export const pushedRequest: Decider<
  PushedRequestCommand,
  PushedRequestState,
  PushedRequestEvent,
  PushedRequestRejection
> = {
  family: pushedRequests,
  initial: { kind: 'none' },
  evolve,
  decide,
};
