/** The authorization_code grant (RFC 6749 section 4.1.3, RFC 7636): redeems a code once, by the client that it was issued to. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type CodeRejection, code, type RedeemCode } from '../../../../domain/identity/authorization-code/decider';
import { codeStream } from '../../../../domain/identity/authorization-code/events';
import type { IssuedCode } from '../../../../domain/identity/authorization-code/state';
import { waivesPkce } from '../../../../domain/identity/client/state';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { handle } from '../../../kernel/handle';
import type { Refusal } from '../../../kernel/handle-request';
import { loadStream } from '../../../kernel/load-stream';
import { type IssueGrantDeps, issueGrantTokens, recheckApproval } from '../../grants/issue-grant-tokens';
import { oauthFailure } from '../token/oauth-error';
import { thumbprintsOf } from '../token/sender-constraint';
import type { TokenRequest } from '../token/token-request';
import { parseCode } from './issue-code';
import {
  type ClientCode,
  codeGrantDerivation,
  codeGrantId,
  recordCodeReplay,
  rejectIfCodeReplayed,
} from './replayed-code';

interface PresentedCode extends ClientCode {
  readonly redirectUri: string;
  /** Null: sent without, by a client that need not use PKCE. */
  readonly verifier: string | null;
}

/** RFC 7636 section 4.1. */
const verifierShape = /^[A-Za-z0-9._~-]{43,128}$/;

/** Only the authenticated client of the code learns the reason; others get one message. */
const invalidCode = () => oauthFailure('invalid_grant', 'The code is not accepted.');

const readPresentedCode = ({ parameters, client }: TokenRequest): Either<JsonAnswer, PresentedCode> => {
  const { code: written, redirect_uri: redirectUri, code_verifier: verifier } = parameters;
  if (written === undefined) return oauthFailure('invalid_request', 'The code is missing.');
  if (redirectUri === undefined) return oauthFailure('invalid_request', 'The redirect_uri is missing.');
  if (client.kind !== 'application') return oauthFailure('unauthorized_client', 'Only applications can redeem codes.');
  if (verifier === undefined && !waivesPkce(client.application))
    return oauthFailure('invalid_request', 'The code_verifier is missing: use PKCE.');
  if (verifier !== undefined && !verifierShape.test(verifier))
    return oauthFailure('invalid_request', 'The code_verifier is malformed.');
  const read = parseCode(written);
  if (read?.tenantId !== client.tenantId) return invalidCode();
  return right({ ...read, client, redirectUri, verifier: verifier ?? null });
};

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const redeemCommandOf = (presented: PresentedCode, { binding, at }: TokenRequest): RedeemCode => ({
  type: 'RedeemCode',
  codeId: presented.codeId,
  clientId: presented.client.clientId,
  redirectUri: presented.redirectUri,
  challenge: presented.verifier === null ? null : challengeOf(presented.verifier),
  jkt: thumbprintsOf(binding).jkt,
  grantId: codeGrantId(presented),
  at,
});

const rejectionDetails: { readonly [code in CodeRejection]?: string } = {
  'code-used-just-now': 'The code was used a moment ago: the tokens issued for it stay valid.',
  'code-expired': 'The code has expired.',
  'redirect-uri-differs': 'The redirect_uri differs from that of the authorization request.',
  'verifier-differs': 'The code_verifier does not match the code_challenge.',
  'key-differs': 'The code is bound to another DPoP key.',
};

const redemptionRefused = (
  deps: IssueGrantDeps,
  presented: PresentedCode,
  { call: request, refusal }: { readonly call: TokenRequest; readonly refusal: Refusal<CodeRejection> },
): Either<JsonAnswer, never> | Promise<Either<JsonAnswer, never>> => {
  if (refusal.kind === 'fault' || refusal.code === 'conflict')
    return oauthFailure('temporarily_unavailable', refusal.detail);
  if (refusal.code === 'code-used') return recordCodeReplay(deps, presented, request);
  const detail = rejectionDetails[refusal.code as CodeRejection];
  return detail === undefined ? invalidCode() : oauthFailure('invalid_grant', detail);
};

/** Read before the redemption: issued data never changes. */
const findIssuedCode = async (
  deps: IssueGrantDeps,
  presented: PresentedCode,
  request: TokenRequest,
): Promise<Either<JsonAnswer, IssuedCode>> => {
  const found = await loadStream(deps, code, codeStream(presented.tenantId, presented.codeId));
  if (isLeft(found)) return oauthFailure('temporarily_unavailable', found.left.detail);
  const decided = code.decide(redeemCommandOf(presented, request), found.right);
  if (isLeft(decided)) return redemptionRefused(deps, presented, { call: request, refusal: decided.left });
  return found.right.kind === 'none' ? invalidCode() : right(found.right.code);
};

const recordRedemption = async (
  deps: IssueGrantDeps,
  presented: PresentedCode,
  request: TokenRequest,
): Promise<Either<JsonAnswer, void>> => {
  const { tenantId, codeId, client } = presented;
  const redeemed = await handle(deps, code, {
    stream: codeStream(tenantId, codeId),
    command: redeemCommandOf(presented, request),
    // A fresh id, never the caller's: two uses of one code must not look like a retry.
    commandId: deps.random.uuid(),
    tenant: tenantId,
    actor: client.clientId,
    correlationId: request.requestId,
  });
  return isLeft(redeemed)
    ? redemptionRefused(deps, presented, { call: request, refusal: redeemed.left })
    : right(undefined);
};

/** A crash after the redemption costs the sign-in: a second use is indistinguishable from a thief's (RFC 6749 section 10.5). */
export const redeemCode = async (deps: IssueGrantDeps, request: TokenRequest): Promise<JsonAnswer> => {
  const presented = readPresentedCode(request);
  if (isLeft(presented)) return presented.left;
  const approval = await findIssuedCode(deps, presented.right, request);
  if (isLeft(approval)) return approval.left;
  const { client } = presented.right;
  const current = await recheckApproval(deps, client, { allowed: approval.right, resources: request.resources });
  if (isLeft(current)) return current.left;
  const redeemed = await recordRedemption(deps, presented.right, request);
  if (isLeft(redeemed)) return redeemed.left;
  return issueGrantTokens(deps, request, {
    client,
    approval: approval.right,
    current: current.right,
    derivedFrom: codeGrantDerivation(presented.right),
    finalCheck: () => rejectIfCodeReplayed(deps, presented.right, request),
  });
};
