/**
 * An authorization request that waits for sign-in or consent. Its state is sealed into the resume URL: unauthenticated requests do not grow
 * the log, and it expires by itself.
 */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { AuthorizationRequest } from '../../../../domain/identity/authorization/authorization-request';
import { PushedRequestId } from '../../../../domain/identity/ids';
import { openedSeconds } from '../../../../domain/identity/pushed-request/decider';
import { Instant, record, text } from '../../../../domain/kernel/codec';
import { plusSeconds } from '../../../../domain/kernel/instant';
import type { Kms } from '../../../../infra/ports/kms';
import { type Problem, problemOf } from '../../../../infra/server/http/problem';
import { sealText, unsealText } from '../../sealed-text';

export const Interaction = record(
  'UnderWay',
  {
    /** The code derives from it, so a request has one code, however often the browser returns. */
    id: text('UnderWayId', { maxLength: 64 }),
    startedAt: Instant,
    request: AuthorizationRequest,
  },
  {
    /** Of a pushed request, which the answer ends. */
    pushedRequestId: PushedRequestId,
  },
);
export type Interaction = TypeOf<typeof Interaction>;

const purpose = 'authorization-under-way';

const keyOf = async (kms: Pick<Kms, 'derive'>): Promise<Either<Problem, Buffer>> => {
  const derived = await kms.derive(JSON.stringify([purpose]));
  return isLeft(derived) ? left(problemOf(derived.left, {})) : right(Buffer.from(derived.right, 'base64url'));
};

export const sealInteraction = async (
  kms: Pick<Kms, 'derive'>,
  interaction: Interaction,
): Promise<Either<Problem, string>> => {
  const key = await keyOf(kms);
  return isLeft(key) ? key : right(sealText(key.right, purpose, JSON.stringify(Interaction.encode(interaction))));
};

/** Undefined: invalid or expired. */
export const openInteraction = async (
  kms: Pick<Kms, 'derive'>,
  sealed: string,
  at: Instant,
): Promise<Either<Problem, Interaction | undefined>> => {
  const key = await keyOf(kms);
  if (isLeft(key)) return key;
  const content = unsealText(key.right, purpose, sealed);
  if (content === undefined) return right(undefined);
  const read: unknown = JSON.parse(content);
  return right(Interaction.is(read) && at < plusSeconds(read.startedAt, openedSeconds) ? read : undefined);
};
