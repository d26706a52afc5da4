/** Revokes the grant of a code that was used twice: the first use may have been a thief's. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { ClientId, GrantId } from '../../../domain/identity/ids';
import type { TenantId } from '../../../domain/kernel/ids';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import type { HandleDeps } from '../../kernel/handle-request';
import { oauthFailure } from '../oauth/token/oauth-error';
import { revokeGrant } from './revoke-grant';

export interface ReplayedGrant {
  readonly what: keyof typeof replayMessages;
  readonly tenantId: TenantId;
  readonly clientId: ClientId;
  readonly grantId: GrantId;
  readonly commandId: string;
  readonly requestId: string;
  /** Result of recording the replay. */
  readonly recorded: Either<{ readonly code: string }, unknown>;
}

const replayMessages = {
  code: {
    reason: 'Its authorization code was used twice.',
    warning: 'an authorization code was used twice: its grant is revoked',
    over: 'The code was used before: its grant has ended.',
    notYet: 'The code was used before, and its grant could not be ended yet.',
  },
  deviceCode: {
    reason: 'Its device code was used twice.',
    warning: 'a device code was used twice: its grant is revoked',
    over: 'The device_code was used before: its grant has ended.',
    notYet: 'The device_code was used before, and its grant could not be ended yet.',
  },
} as const;

/** Runs before the second use is answered. The recorded replay opens an incident, which does the rest. */
export const revokeReplayedGrant = async (
  deps: HandleDeps,
  replayed: ReplayedGrant,
): Promise<Either<JsonAnswer, never>> => {
  const { tenantId, clientId, grantId, commandId, requestId, recorded } = replayed;
  const { reason, warning, over, notYet } = replayMessages[replayed.what];
  const request = { tenantId, requestId, commandId, ownedBy: null, actor: clientId, reason };
  const revoked = await revokeGrant(deps, grantId, request);
  const failures: string[] = [isLeft(recorded) ? recorded.left.code : '', isLeft(revoked) ? revoked.left.code : ''];
  deps.log?.warn({ tenantId, clientId, failures }, warning);
  // The grant may not be open yet: the first use checks for a replay before it returns tokens.
  return failures.some((failure) => failure !== '' && failure !== 'grant-unknown')
    ? oauthFailure('temporarily_unavailable', notYet)
    : oauthFailure('invalid_grant', over);
};
