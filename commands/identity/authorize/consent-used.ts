/** What rests on a person's consent: noted before it is opened, and asked about again before anything of it is handed out. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type Consent, covers } from '../../../domain/identity/consent/decider';
import type { Scope } from '../../../domain/identity/scopes';
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { JsonAnswer } from '../../../infra/http/route';
import type { Random } from '../../../infra/ports/random';
import { derivedId } from '../../kernel/derive';
import type { HandleDeps } from '../../kernel/request';
import { revokeGrant } from '../grants/revoke';
import type { TokenCall } from '../token/call';
import type { ApplicationClient } from '../token/client';
import { refuse } from '../token/oauth-error';
import { loadConsent, useConsent } from './consent-given';

export interface Resting {
  readonly client: ApplicationClient;
  readonly principalId: PrincipalId;
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
  readonly use: Consent['uses'][number];
}

type Noted = Promise<Either<JsonAnswer, void>>;
type Asking = Pick<TokenCall, 'at' | 'requestId'>;

const betweenOf = ({ client: { tenantId, clientId }, principalId }: Resting) => ({ tenantId, clientId, principalId });

const over = () => refuse('invalid_grant', 'The person took back what they allowed.');

/** People can take back what they allowed others, with all that came of it; what is ours they sign out of. */
export const noteUse = async (
  deps: HandleDeps & { readonly random: Random },
  resting: Resting,
  { at, requestId }: Asking,
): Noted => {
  const { client, use, scopes, audience } = resting;
  if (client.application.firstParty) return right(undefined);
  const word = { at, requestId, commandId: deps.random.uuid() };
  const noted = await useConsent(deps, betweenOf(resting), { use: { ...use, scopes, audience }, word });
  if (!isLeft(noted)) return right(undefined);
  return noted.left.code === 'consent-not-given' ? over() : refuse('temporarily_unavailable', noted.left.detail);
};

/** Taken back while the grant was being opened, whoever took it back may have found none to end. */
export const stillAllowed = async (deps: HandleDeps, resting: Resting, { requestId }: Asking): Noted => {
  const { client, use, principalId } = resting;
  if (client.application.firstParty) return right(undefined);
  const found = await loadConsent(deps, betweenOf(resting));
  if (isLeft(found)) return refuse('temporarily_unavailable', found.left.detail);
  if (covers(found.right, resting)) return right(undefined);
  const reason = 'Its owner took their consent back.';
  const how = { tenantId: client.tenantId, reason, ownedBy: null, actor: principalId, requestId };
  const ended = await revokeGrant(deps, use.grantId, { ...how, commandId: derivedId('consent-over', use.grantId) });
  return isLeft(ended) ? refuse('temporarily_unavailable', ended.left.detail) : over();
};
