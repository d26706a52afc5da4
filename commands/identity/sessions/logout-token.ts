/** Logout tokens (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Application } from '../../../domain/identity/client/state';
import type { LogoutNotification } from '../../../domain/identity/notify-on-client-signed-out/process';
import { wholeSeconds } from '../../../domain/kernel/instant';
import type { KmsFault, Signer } from '../../../infra/ports/kms';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { Random } from '../../../infra/ports/runtime/random';
import { metadataUrlOf } from '../oauth/client-authentication/authenticated-client';
import { idTokenKey } from '../oauth/token/id-token-key';
import { signToken } from '../oauth/token/sign-token';

export interface LogoutTokenDeps {
  readonly issuer: string;
  readonly signer: Pick<Signer, 'activeKey' | 'sign'>;
  readonly clock: Clock;
  readonly random: Random;
}

const lifetimeSeconds = 120;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Each attempt has a token of its own: clients that remember `jti` would refuse the second one otherwise. */
export const signLogoutToken = async (
  { issuer, signer, clock, random }: LogoutTokenDeps,
  application: Application,
  { clientId, principalId, sessionId }: LogoutNotification,
): Promise<Either<KmsFault, string>> => {
  const accessTokenKey = await signer.activeKey('access-token');
  if (isLeft(accessTokenKey)) return accessTokenKey;
  const key = await idTokenKey(signer, application.idTokenAlgorithm, accessTokenKey.right);
  if (isLeft(key)) return key;
  const issuedAt = wholeSeconds(clock.now());
  const claims = {
    iss: issuer,
    sub: principalId,
    // As in ID tokens.
    aud: metadataUrlOf({ application }).metadataUrl ?? clientId,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    jti: random.uuid(),
    sid: sessionId,
    events: { [logoutEvent]: {} },
  };
  return signToken(signer, key.right, { typ: 'logout+jwt', claims });
};
