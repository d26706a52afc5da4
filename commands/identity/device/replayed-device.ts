/** A device's code that came twice: that is recorded, and everything that came of it ends, as with authorization codes. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { deviceRequest } from '../../../domain/identity/device/decider';
import type { GrantId } from '../../../domain/identity/ids';
import { deviceRequestStream } from '../../../domain/identity/streams';
import type { JsonAnswer } from '../../../infra/http/route';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { endReplayed } from '../authorize/end-replayed';
import type { HandOutDeps } from '../authorize/hand-out';
import { grantIdFrom } from '../grants/open';
import type { TokenCall } from '../token/call';
import type { ApplicationClient } from '../token/client';
import { refuse } from '../token/oauth-error';
import type { DeviceCode } from './device-code';

export interface Presented extends DeviceCode {
  readonly client: ApplicationClient;
}

export const derivationOf = ({ deviceId }: DeviceCode): string => `device:${deviceId}`;

export const grantIdOf = (presented: DeviceCode): GrantId => grantIdFrom(presented.tenantId, derivationOf(presented));

export const tellReplay = async (
  deps: HandOutDeps,
  presented: Presented,
  { at, requestId }: TokenCall,
): Promise<Either<JsonAnswer, never>> => {
  const { tenantId, deviceId, client } = presented;
  const { clientId } = client;
  const [stream, commandId] = [deviceRequestStream(tenantId, deviceId), deps.random.uuid()];
  const told = await handle(deps, deviceRequest, {
    ...{ stream, commandId, tenant: tenantId, actor: clientId, correlationId: requestId },
    command: { type: 'TellDeviceReplay', deviceId, at },
  });
  const grantId = grantIdOf(presented);
  return endReplayed(deps, { what: 'deviceCode', tenantId, clientId, grantId, commandId, requestId, told });
};

/** It came again while its grant was being opened, so that whoever told it found none to end. */
export const unlessReplayed = async (
  deps: HandOutDeps,
  presented: Presented,
  call: TokenCall,
): Promise<Either<JsonAnswer, void>> => {
  const { tenantId, deviceId } = presented;
  const found = await loadStream(deps, deviceRequest, deviceRequestStream(tenantId, deviceId));
  if (isLeft(found)) return refuse('temporarily_unavailable', found.left.detail);
  const replayed = found.right.kind === 'redeemed' && found.right.replayed;
  return replayed ? tellReplay(deps, presented, call) : right(undefined);
};
