/** `authorization_code` (RFC 6749 section 4.1.3, RFC 7636): a code is worth tokens once, to whom it was made for. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type CodeRejection, code, type RedeemCode } from '../../../domain/identity/code/decider';
import type { IssuedCode } from '../../../domain/identity/code/state';
import { codeStream } from '../../../domain/identity/streams';
import type { JsonAnswer } from '../../../infra/http/route';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { Refusal } from '../../kernel/request';
import { thumbprintsOf } from '../token/binding';
import type { TokenCall } from '../token/call';
import { refuse } from '../token/oauth-error';
import { type HandOutDeps, handOut, standingOf } from './hand-out';
import { readCode } from './issue-code';
import { derivationOf, grantIdOf, type KnownCode, tellReplay, unlessReplayed } from './replayed-code';

interface Presented extends KnownCode {
  readonly redirectUri: string;
  readonly verifier: string;
}

/** RFC 7636 section 4.1. */
const verifierShape = /^[A-Za-z0-9._~-]{43,128}$/;

/** Which of its faults it is, is said to who has the code and authenticated as its client; of another's code nothing is said. */
const notAccepted = () => refuse('invalid_grant', 'The code is not accepted.');

const presentedOf = ({ parameters, client }: TokenCall): Either<JsonAnswer, Presented> => {
  const { code: written, redirect_uri: redirectUri, code_verifier: verifier } = parameters;
  if (written === undefined) return refuse('invalid_request', 'The code is missing.');
  if (redirectUri === undefined) return refuse('invalid_request', 'The redirect_uri is missing.');
  if (verifier === undefined) return refuse('invalid_request', 'The code_verifier is missing: use PKCE.');
  if (!verifierShape.test(verifier)) return refuse('invalid_request', 'The code_verifier is malformed.');
  if (client.kind !== 'application') return refuse('unauthorized_client', 'Codes are for applications.');
  const read = readCode(written);
  if (read?.tenantId !== client.tenantId) return notAccepted();
  return right({ ...read, client, redirectUri, verifier });
};

const commandOf = (presented: Presented, { binding, at }: TokenCall): RedeemCode => ({
  type: 'RedeemCode',
  codeId: presented.codeId,
  clientId: presented.client.clientId,
  redirectUri: presented.redirectUri,
  challenge: createHash('sha256').update(presented.verifier).digest('base64url'),
  jkt: thumbprintsOf(binding).jkt,
  grantId: grantIdOf(presented),
  at,
});

const details: { readonly [code in CodeRejection]?: string } = {
  'code-used-just-now': 'The code was used a moment ago: what that use was answered with stands.',
  'code-expired': 'The code has expired.',
  'redirect-uri-differs': 'The redirect_uri is not that of the authorization request.',
  'verifier-differs': 'The code_verifier is not what the authorization request began with.',
  'key-differs': 'The code is bound to another DPoP key.',
};

const refused = (
  deps: HandOutDeps,
  presented: Presented,
  { call, refusal }: { readonly call: TokenCall; readonly refusal: Refusal<CodeRejection> },
): Either<JsonAnswer, never> | Promise<Either<JsonAnswer, never>> => {
  if (refusal.kind === 'fault' || refusal.code === 'conflict') return refuse('temporarily_unavailable', refusal.detail);
  if (refusal.code === 'code-used') return tellReplay(deps, presented, call);
  const detail = details[refusal.code as CodeRejection];
  return detail === undefined ? notAccepted() : refuse('invalid_grant', detail);
};

/** What was issued never changes, so it may be read before it is spent. */
const issuedTo = async (
  deps: HandOutDeps,
  presented: Presented,
  call: TokenCall,
): Promise<Either<JsonAnswer, IssuedCode>> => {
  const found = await loadStream(deps, code, codeStream(presented.tenantId, presented.codeId));
  if (isLeft(found)) return refuse('temporarily_unavailable', found.left.detail);
  const decided = code.decide(commandOf(presented, call), found.right);
  if (isLeft(decided)) return refused(deps, presented, { call, refusal: decided.left });
  return found.right.kind === 'none' ? notAccepted() : right(found.right.code);
};

const spend = async (deps: HandOutDeps, presented: Presented, call: TokenCall): Promise<Either<JsonAnswer, void>> => {
  const { tenantId, codeId, client } = presented;
  const spent = await handle(deps, code, {
    stream: codeStream(tenantId, codeId),
    command: commandOf(presented, call),
    // Never the caller's: two uses of one code are two, whatever they are called.
    commandId: deps.random.uuid(),
    tenant: tenantId,
    actor: client.clientId,
    correlationId: call.requestId,
  });
  return isLeft(spent) ? refused(deps, presented, { call, refusal: spent.left }) : right(undefined);
};

/** A crash after the code is spent costs the sign-in: a second use cannot be told from a thief's (RFC 6749 section 10.5). */
export const redeemCode = async (deps: HandOutDeps, call: TokenCall): Promise<JsonAnswer> => {
  const presented = presentedOf(call);
  if (isLeft(presented)) return presented.left;
  const allowed = await issuedTo(deps, presented.right, call);
  if (isLeft(allowed)) return allowed.left;
  const { client } = presented.right;
  const standing = await standingOf(deps, client, { allowed: allowed.right, resources: call.resources });
  if (isLeft(standing)) return standing.left;
  const spent = await spend(deps, presented.right, call);
  if (isLeft(spent)) return spent.left;
  const whole = () => unlessReplayed(deps, presented.right, call);
  return handOut(deps, call, [client, allowed.right, standing.right, derivationOf(presented.right), whole]);
};
