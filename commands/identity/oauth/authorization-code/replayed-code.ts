/** Replay of an authorization code: records it and revokes the grant. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { code } from '../../../../domain/identity/authorization-code/decider';
import { codeStream } from '../../../../domain/identity/authorization-code/events';
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
import type { ParsedCode } from './issue-code';

export interface ClientCode extends ParsedCode {
  readonly client: ApplicationClient;
}

export const codeGrantDerivation = ({ codeId }: ParsedCode): string => `code:${codeId}`;

export const codeGrantId = (presented: ParsedCode): GrantId =>
  grantIdFrom(presented.tenantId, codeGrantDerivation(presented));

export const recordCodeReplay = async (
  deps: IssueGrantDeps,
  presented: ClientCode,
  { at, requestId }: TokenRequest,
): Promise<Either<JsonAnswer, never>> => {
  const { tenantId, codeId, client } = presented;
  const { clientId } = client;
  const commandId = deps.random.uuid();
  const recorded = await handle(deps, code, {
    stream: codeStream(tenantId, codeId),
    commandId,
    tenant: tenantId,
    actor: clientId,
    correlationId: requestId,
    command: { type: 'RecordCodeReplay', codeId, at },
  });
  const grantId = codeGrantId(presented);
  return revokeReplayedGrant(deps, {
    what: 'code',
    tenantId,
    clientId,
    grantId,
    commandId,
    requestId,
    recorded,
  });
};

/** The code may have been replayed while its grant was opened, before there was a grant to revoke. */
export const rejectIfCodeReplayed = async (
  deps: IssueGrantDeps,
  presented: ClientCode,
  request: TokenRequest,
): Promise<Either<JsonAnswer, void>> => {
  const found = await loadStream(deps, code, codeStream(presented.tenantId, presented.codeId));
  if (isLeft(found)) return oauthFailure('temporarily_unavailable', found.left.detail);
  const replayed = found.right.kind === 'redeemed' && found.right.replayed;
  return replayed ? recordCodeReplay(deps, presented, request) : right(undefined);
};
