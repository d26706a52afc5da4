/** A code that came twice: that is recorded, and everything that came of it ends. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { code } from '../../../domain/identity/code/decider';
import type { GrantId } from '../../../domain/identity/ids';
import { codeStream } from '../../../domain/identity/streams';
import type { JsonAnswer } from '../../../infra/http/route';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { grantIdFrom } from '../grants/open';
import type { TokenCall } from '../token/call';
import type { ApplicationClient } from '../token/client';
import { refuse } from '../token/oauth-error';
import { endReplayed } from './end-replayed';
import type { HandOutDeps } from './hand-out';
import type { ReadCode } from './issue-code';

export interface KnownCode extends ReadCode {
  readonly client: ApplicationClient;
}

export const derivationOf = ({ codeId }: ReadCode): string => `code:${codeId}`;

export const grantIdOf = (known: ReadCode): GrantId => grantIdFrom(known.tenantId, derivationOf(known));

export const tellReplay = async (
  deps: HandOutDeps,
  known: KnownCode,
  { at, requestId }: TokenCall,
): Promise<Either<JsonAnswer, never>> => {
  const { tenantId, codeId, client } = known;
  const { clientId } = client;
  const commandId = deps.random.uuid();
  const told = await handle(deps, code, {
    ...{ stream: codeStream(tenantId, codeId), commandId, tenant: tenantId, actor: clientId, correlationId: requestId },
    command: { type: 'TellReplay', codeId, at },
  });
  const grantId = grantIdOf(known);
  return endReplayed(deps, { what: 'code', tenantId, clientId, grantId, commandId, requestId, told });
};

/** It came again while its grant was being opened, so that whoever told it found none to end. */
export const unlessReplayed = async (
  deps: HandOutDeps,
  known: KnownCode,
  call: TokenCall,
): Promise<Either<JsonAnswer, void>> => {
  const found = await loadStream(deps, code, codeStream(known.tenantId, known.codeId));
  if (isLeft(found)) return refuse('temporarily_unavailable', found.left.detail);
  const replayed = found.right.kind === 'redeemed' && found.right.replayed;
  return replayed ? tellReplay(deps, known, call) : right(undefined);
};
