/** Issues the authorization code of a completed request. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { code, codeSeconds } from '../../../../domain/identity/authorization-code/decider';
import { codeStream } from '../../../../domain/identity/authorization-code/events';
import { CodeId } from '../../../../domain/identity/ids';
import type { Scope } from '../../../../domain/identity/scopes';
import type { Instant } from '../../../../domain/kernel/codec';
import { TenantId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import type { Kms } from '../../../../infra/ports/kms';
import { derivedId } from '../../../kernel/deterministic-ids';
import { handle } from '../../../kernel/handle';
import type { HandleDeps } from '../../../kernel/handle-request';
import type { CurrentSession } from '../../sessions/current-session';
import type { Interaction } from '../authorization/interaction';

export interface IssueCodeDeps extends HandleDeps {
  readonly kms: Pick<Kms, 'derive'>;
}

export interface ApprovedRequest {
  readonly underWay: Interaction;
  readonly session: CurrentSession;
  readonly scopes: readonly Scope[];
  /** The client's grant epoch. */
  readonly clientEpoch: number;
  readonly at: Instant;
  readonly requestId: string;
}

export interface CodeFailure {
  /** `answered`: the request already has a code, which is used, expired, or of another person. */
  readonly kind: 'answered' | 'unavailable';
  readonly detail: string;
}

export interface ParsedCode {
  readonly tenantId: TenantId;
  readonly codeId: CodeId;
}

const codeIdFrom = (written: string): CodeId => {
  const id = createHash('sha256').update(written).digest('hex');
  if (!CodeId.is(id)) throw new Error('a code has no valid id');
  return id;
};

const codePattern = /^[a-z0-9][a-z0-9-]{0,62}\.[A-Za-z0-9_-]{43}$/;

/** Undefined: not an authorization code. */
export const parseCode = (written: string): ParsedCode | undefined => {
  const [tenantId] = codePattern.test(written) ? written.split('.') : [];
  return TenantId.is(tenantId) ? { tenantId, codeId: codeIdFrom(written) } : undefined;
};

const issuedCodeOf = ({ underWay: { request }, session, scopes, clientEpoch, at }: ApprovedRequest, codeId: CodeId) => {
  const { clientId, redirectUri, challenge, audience, nonce, jkt, idTokenClaims = [] } = request;
  const { principalId, sessionId, authenticatedAt, methods } = session;
  const fields = { codeId, clientId, redirectUri, challenge, audience, nonce, jkt, idTokenClaims };
  const whose = { principalId, sessionId, authenticatedAt, methods: [...methods], scopes: [...scopes] };
  return { ...fields, ...whose, issuedAt: at, expiresAt: plusSeconds(at, codeSeconds), clientEpoch };
};

/** The code is derived from the request: repeating the request returns the same code. */
export const issueCode = async (
  deps: IssueCodeDeps,
  granted: ApprovedRequest,
): Promise<Either<CodeFailure, string>> => {
  const { underWay: interaction, session, at, requestId } = granted;
  const { tenantId, principalId, sessionId } = session;
  const secret = await deps.kms.derive(JSON.stringify(['authorization-code', tenantId, interaction.id]));
  if (isLeft(secret)) return left({ kind: 'unavailable', detail: secret.left.detail });
  const written = `${tenantId}.${secret.right}`;
  const codeId = codeIdFrom(written);
  const issued = await handle(deps, code, {
    stream: codeStream(tenantId, codeId),
    command: { type: 'IssueCode', ...issuedCodeOf(granted, codeId) },
    commandId: derivedId('issue-code', codeId, sessionId, at),
    tenant: tenantId,
    actor: principalId,
    correlationId: requestId,
    fresh: true,
  });
  if (!isLeft(issued)) return right(written);
  const { kind, detail } = issued.left;
  return left({ kind: kind === 'fault' ? 'unavailable' : 'answered', detail });
};
