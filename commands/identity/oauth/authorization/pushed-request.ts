/** Pushed authorization requests (RFC 9126): stored under a reference, which counts until the request is answered. */
import { createHash, createHmac } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { AuthorizationRequest } from '../../../../domain/identity/authorization/authorization-request';
import { PushedRequestId } from '../../../../domain/identity/ids';
import {
  type AnswerRequest,
  type PushedRequestRejection,
  pushedRequest,
  pushedSeconds,
} from '../../../../domain/identity/pushed-request/decider';
import { pushedRequestStream } from '../../../../domain/identity/pushed-request/events';
import type { Instant } from '../../../../domain/kernel/codec';
import type { TenantId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import type { Random } from '../../../../infra/ports/runtime/random';
import { derivedId } from '../../../kernel/deterministic-ids';
import { handle } from '../../../kernel/handle';
import type { HandleDeps, Refusal } from '../../../kernel/handle-request';
import { loadStream } from '../../../kernel/load-stream';
import { sealText, unsealText } from '../../sealed-text';

export interface PushedDeps extends HandleDeps {
  readonly random: Random;
}

export interface CommandContext {
  readonly tenantId: TenantId;
  readonly at: Instant;
  readonly requestId: string;
}

type PushedRequestRefusal = Refusal<PushedRequestRejection>;

const prefix = 'urn:ietf:params:oauth:request_uri:';
const purpose = 'pushed-request';
const referenceBytes = 32;
const referencePattern = /^[A-Za-z0-9_-]{43}$/;

export const isPushedRequestUri = (requestUri: string): boolean => requestUri.startsWith(prefix);

const sealingKeyOf = (reference: string): Buffer => createHmac('sha256', reference).update(purpose).digest();

/** Hashed under another label than the sealing key: readers of the log cannot open requests. */
const requestIdOf = (reference: string): PushedRequestId => {
  const id = createHash('sha256').update(`${purpose}.${reference}`).digest('hex');
  if (!PushedRequestId.is(id)) throw new Error('a pushed request has no valid id');
  return id;
};

const commandOf = (requestId: PushedRequestId, { tenantId, requestId: correlationId }: CommandContext) => ({
  stream: pushedRequestStream(tenantId, requestId),
  tenant: tenantId,
  correlationId,
});

export const pushRequest = async (
  deps: PushedDeps,
  request: AuthorizationRequest,
  occasion: CommandContext,
): Promise<Either<PushedRequestRefusal, { readonly requestUri: string; readonly expiresInSeconds: number }>> => {
  const reference = deps.random.token(referenceBytes);
  const [requestId, { at }] = [requestIdOf(reference), occasion];
  const sealed = sealText(sealingKeyOf(reference), purpose, JSON.stringify(AuthorizationRequest.encode(request)));
  const data = { requestId, clientId: request.clientId, sealed, pushedAt: at };
  const pushed = await handle(deps, pushedRequest, {
    ...commandOf(requestId, occasion),
    command: { type: 'PushRequest', ...data, expiresAt: plusSeconds(at, pushedSeconds) },
    commandId: derivedId('push-request', requestId),
    actor: request.clientId,
    fresh: true,
  });
  return isLeft(pushed) ? pushed : right({ requestUri: `${prefix}${reference}`, expiresInSeconds: pushedSeconds });
};

export interface OpenedRequest {
  readonly requestId: PushedRequestId;
  /** Of the first time. */
  readonly openedAt: Instant;
  readonly request: AuthorizationRequest;
}

/** Undefined: unknown, answered or expired. */
export const openPushedRequest = async (
  deps: PushedDeps,
  { clientId, requestUri }: { readonly clientId: AuthorizationRequest['clientId']; readonly requestUri: string },
  occasion: CommandContext,
): Promise<Either<PushedRequestRefusal, OpenedRequest | undefined>> => {
  const reference = requestUri.slice(prefix.length);
  if (!referencePattern.test(reference)) return right(undefined);
  const requestId = requestIdOf(reference);
  const opened = await handle(deps, pushedRequest, {
    ...commandOf(requestId, occasion),
    command: { type: 'OpenRequest', requestId, clientId, at: occasion.at },
    commandId: deps.random.uuid(),
    actor: clientId,
  });
  if (isLeft(opened)) return opened.left.kind === 'fault' ? left(opened.left) : right(undefined);
  const state = await loadStream(deps, pushedRequest, pushedRequestStream(occasion.tenantId, requestId));
  if (isLeft(state)) return state;
  if (state.right.kind !== 'opened') return right(undefined);
  const content = unsealText(sealingKeyOf(reference), purpose, state.right.sealed);
  const request: unknown = content === undefined ? undefined : JSON.parse(content);
  return right(AuthorizationRequest.is(request) ? { requestId, openedAt: state.right.openedAt, request } : undefined);
};

/** Left: a rejection if it was answered otherwise before. */
export const answerPushedRequest = async (
  deps: HandleDeps,
  { requestId, type, clientId }: Pick<AnswerRequest, 'requestId' | 'type'> & Pick<AuthorizationRequest, 'clientId'>,
  occasion: CommandContext,
): Promise<Either<PushedRequestRefusal, void>> => {
  const answered = await handle(deps, pushedRequest, {
    ...commandOf(requestId, occasion),
    command: { type, requestId, at: occasion.at },
    commandId: derivedId('answer-pushed-request', type, requestId),
    fingerprint: [type, requestId],
    actor: clientId,
  });
  return isLeft(answered) ? answered : right(undefined);
};
