/** Pushed authorization requests (RFC 9126): stored under a reference and consumed once. */
import { createHash, createHmac } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { AuthorizationRequest } from '../../../../domain/identity/authorization/authorization-request';
import { PushedRequestId } from '../../../../domain/identity/ids';
import {
  type PushedRequestRejection,
  pushedRequest,
  pushedSeconds,
} from '../../../../domain/identity/pushed-request/decider';
import { pushedRequestStream } from '../../../../domain/identity/streams';
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

/** Undefined: unknown, consumed or expired. */
export const consumePushedRequest = async (
  deps: PushedDeps,
  { clientId, requestUri }: { readonly clientId: AuthorizationRequest['clientId']; readonly requestUri: string },
  occasion: CommandContext,
): Promise<Either<PushedRequestRefusal, AuthorizationRequest | undefined>> => {
  const reference = requestUri.slice(prefix.length);
  if (!referencePattern.test(reference)) return right(undefined);
  const requestId = requestIdOf(reference);
  const used = await handle(deps, pushedRequest, {
    ...commandOf(requestId, occasion),
    command: { type: 'UseRequest', requestId, clientId, at: occasion.at },
    commandId: deps.random.uuid(),
    actor: clientId,
  });
  if (isLeft(used)) return used.left.kind === 'fault' ? left(used.left) : right(undefined);
  const state = await loadStream(deps, pushedRequest, pushedRequestStream(occasion.tenantId, requestId));
  if (isLeft(state)) return state;
  const content =
    state.right.kind === 'none' ? undefined : unsealText(sealingKeyOf(reference), purpose, state.right.sealed);
  const request: unknown = content === undefined ? undefined : JSON.parse(content);
  return right(AuthorizationRequest.is(request) ? request : undefined);
};
