/** Standard claims about a person (OpenID Connect Core section 5.1), by the scopes that stand for them (section 5.4). */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { authenticator } from '../../../../domain/identity/authenticators/decider';
import { authenticatorsStream } from '../../../../domain/identity/authenticators/events';
import { type PersonClaim, personClaimsOf } from '../../../../domain/identity/authorization/requested-claims';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../../kernel/load-stream';
import type { Claims } from '../token/sign-token';

export interface PersonOfClaims {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  /** Granted scopes. */
  readonly scopes: readonly string[];
}

/** Forgotten values are no texts. */
const textOrUndefined = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** What the scopes allow, or of that what `only` names. Claims that the person lacks are absent. */
export const loadPersonClaims = async (
  source: StreamSource,
  { tenantId, principalId, scopes }: PersonOfClaims,
  only?: readonly PersonClaim[],
): Promise<Either<EventStoreFault, Claims>> => {
  const wanted = personClaimsOf(scopes).filter((claim) => only?.includes(claim) ?? true);
  if (wanted.length === 0) return right({});
  const loaded = await loadStream(source, authenticator, authenticatorsStream(tenantId, principalId));
  if (isLeft(loaded)) return loaded;
  const { profile } = loaded.right;
  const email = textOrUndefined(profile?.email);
  const known: { readonly [claim in PersonClaim]: unknown } = {
    name: textOrUndefined(profile?.displayName),
    preferred_username: textOrUndefined(profile?.login),
    email,
    // The e-mail address is not verified.
    email_verified: email === undefined ? undefined : false,
  };
  return right(
    Object.fromEntries(wanted.flatMap((claim) => (known[claim] === undefined ? [] : [[claim, known[claim]]]))),
  );
};
