/** Replay of a device code: records it and revokes the grant. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { deviceRequest } from '../../../../domain/identity/device-authorization/decider';
import { deviceRequestStream } from '../../../../domain/identity/device-authorization/events';
import type { GrantId } from '../../../../domain/identity/ids';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { handle } from '../../../kernel/handle';
import { loadStream } from '../../../kernel/load-stream';
import type { IssueGrantDeps } from '../../grants/issue-grant-tokens';
import { grantIdFrom } from '../../grants/open-grant';
import { revokeReplayedGrant } from '../../grants/revoke-replayed';
import type { ApplicationClient } from '../client-authentication/authenticated-client';
import { oauthFailure } from '../token/oauth-error';
import type { TokenRequest } from '../token/token-request';
import type { DeviceCode } from './codes';

export interface PresentedDeviceCode extends DeviceCode {
  readonly client: ApplicationClient;
}

export const deviceGrantDerivation = ({ deviceId }: DeviceCode): string => `device:${deviceId}`;

export const deviceGrantId = (presented: DeviceCode): GrantId =>
  grantIdFrom(presented.tenantId, deviceGrantDerivation(presented));

export const recordDeviceReplay = async (
  deps: IssueGrantDeps,
  presented: PresentedDeviceCode,
  { at, requestId }: TokenRequest,
): Promise<Either<JsonAnswer, never>> => {
  const { tenantId, deviceId, client } = presented;
  const { clientId } = client;
  const [stream, commandId] = [deviceRequestStream(tenantId, deviceId), deps.random.uuid()];
  const recorded = await handle(deps, deviceRequest, {
    stream,
    commandId,
    tenant: tenantId,
    actor: clientId,
    correlationId: requestId,
    command: { type: 'RecordDeviceReplay', deviceId, at },
  });
  const grantId = deviceGrantId(presented);
  return revokeReplayedGrant(deps, {
    what: 'deviceCode',
    tenantId,
    clientId,
    grantId,
    commandId,
    requestId,
    recorded,
  });
};

/** The code may have been replayed while its grant was opened, before there was a grant to revoke. */
export const rejectIfDeviceReplayed = async (
  deps: IssueGrantDeps,
  presented: PresentedDeviceCode,
  request: TokenRequest,
): Promise<Either<JsonAnswer, void>> => {
  const { tenantId, deviceId } = presented;
  const state = await loadStream(deps, deviceRequest, deviceRequestStream(tenantId, deviceId));
  if (isLeft(state)) return oauthFailure('temporarily_unavailable', state.left.detail);
  const replayed = state.right.kind === 'redeemed' && state.right.replayed;
  return replayed ? recordDeviceReplay(deps, presented, request) : right(undefined);
};
