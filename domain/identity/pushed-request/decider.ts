/** Pushed request: consumed once by its client before it expires. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ClientId, PushedRequestId } from '../ids';
import { type PushedRequestEvent, pushedRequests } from './events';

export const pushedSeconds = 90;

type Pushed = Extract<PushedRequestEvent, { type: 'RequestPushed' }>['data'];

export type PushedRequestState =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'pushed' | 'used' } & Pick<Pushed, 'clientId' | 'sealed' | 'expiresAt'>);

export type PushRequest = { readonly type: 'PushRequest' } & Pushed;

export interface UseRequest {
  readonly type: 'UseRequest';
  readonly requestId: PushedRequestId;
  readonly clientId: ClientId;
  readonly at: Instant;
}

export type PushedRequestCommand = PushRequest | UseRequest;
export type PushedRequestRejection = 'request-differs' | 'request-unknown' | 'request-used' | 'request-expired';

type Decision = Either<Rejection<PushedRequestRejection>, readonly PushedRequestEvent[]>;

const evolve = (state: PushedRequestState, event: PushedRequestEvent): PushedRequestState => {
  switch (event.type) {
    case 'RequestPushed': {
      const { clientId, sealed, expiresAt } = event.data;
      return state.kind === 'none' ? { kind: 'pushed', clientId, sealed, expiresAt } : state;
    }
    case 'RequestUsed':
      return state.kind === 'none' ? state : { ...state, kind: 'used' };
  }
};

const push = ({ type: _, ...data }: PushRequest, state: PushedRequestState): Decision => {
  if (state.kind === 'none') return right([{ type: 'RequestPushed', data }]);
  return state.sealed === data.sealed
    ? right([])
    : reject('request-differs', 'A request of this reference asks for something else.');
};

const use = ({ requestId, clientId, at }: UseRequest, state: PushedRequestState): Decision => {
  if (state.kind === 'none' || state.clientId !== clientId)
    return reject('request-unknown', 'The client pushed no such request.');
  if (state.kind === 'used') return reject('request-used', 'The pushed request was used before.');
  if (at >= state.expiresAt) return reject('request-expired', 'The pushed request has expired.');
  return right([{ type: 'RequestUsed', data: { requestId, usedAt: at } }]);
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
  decide: (command, state) => (command.type === 'PushRequest' ? push(command, state) : use(command, state)),
};
