/** What one request revokes: exactly one thing, and why. */
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { TokenId } from '../../../domain/identity/denial/events';
import { ClientId, FamilyId, GrantId, KeyId, SessionId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { described, Instant, record, text } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { invalidInput, type Problem } from '../../../infra/http/problem';

const yes = described(t.literal(true), { type: 'boolean', enum: [true] });

/** A token is read and forgotten: it is in no event, no log line and no answer. */
const things = {
  token: text('AccessToken', { maxLength: 8_192 }),
  jti: TokenId,
  principalId: PrincipalId,
  grantId: GrantId,
  familyId: FamilyId,
  clientId: ClientId,
  sessionId: SessionId,
  kid: KeyId,
  tenant: yes,
  everyone: yes,
};

export const Revoked = record('RevokedThing', { reason: Reason }, { ...things, expiresAt: Instant });
export type Revoked = t.TypeOf<typeof Revoked>;

type Thing = keyof typeof things;
/** One of them, with what names it. */
export type Named = {
  [Name in Thing]: { readonly kind: Name; readonly value: t.TypeOf<(typeof things)[Name]> };
}[Thing];

const refuse = (pointer: string, expected: string): Either<Problem, never> =>
  left(invalidInput([{ pointer, expected }]));

export const namedIn = (body: Revoked): Either<Problem, Named> => {
  const given = (Object.keys(things) as Thing[]).filter((name) => body[name] !== undefined);
  const [kind, ...more] = given;
  if (kind === undefined || more.length > 0) return refuse('', `exactly one of ${Object.keys(things).join(', ')}`);
  if (body.expiresAt !== undefined && kind !== 'jti') return refuse('/expiresAt', 'left out, except beside jti');
  return right({ kind, value: body[kind] } as Named);
};
