/** Routes that remove a person's lost authenticators: `…/totp/remove` and `…/passkeys/:passkeyId/remove`. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { RemovePasskey, RemoveTotp } from '../../../domain/identity/authenticators/commands';
import { authenticator } from '../../../domain/identity/authenticators/decider';
import { authenticatorsStream, PasskeyId } from '../../../domain/identity/authenticators/events';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { type Problem, problem } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandRequest, PreparedCommand } from '../../kernel/command-spec';
import { freshProblems, unlessFresh } from '../../kernel/fresh-sign-in';
import { callerOf } from '../../kernel/handle-request';
import { PrincipalAnswer, PrincipalPath, WithReason } from '../principals/principal-routes';
import { peopleProblems, principalProblems } from '../problems';
import type { SignInDeps } from '../sign-in/dependencies';
import { checkAuthority } from './access-level';
import { claimIdentifier } from './identifier-claims';

type PersonRequest = CommandRequest<{ readonly principalId: PrincipalId }, { readonly reason: string }>;

/** Not for the caller's own account: the account page requires recent authentication. */
const checkRemoval = (
  deps: SignInDeps,
  { params: { principalId }, tenantId, identity, at }: PersonRequest,
): Problem | undefined | Promise<Problem | undefined> =>
  principalId === identity.principalId
    ? problem('forbidden', 'Your own authenticators are removed under /account, or by another administrator.')
    : (unlessFresh(identity, at) ?? checkAuthority(deps, { tenantId, principalId }, identity));

const removalOf = ({ params, body, at }: PersonRequest) => ({
  principalId: params.principalId,
  at,
  reason: body.reason,
});

const prepareRemoval = <Command extends RemoveTotp | RemovePasskey>(
  { params: { principalId }, tenantId }: PersonRequest,
  command: Command,
): Either<Problem, PreparedCommand<Command>> =>
  right({ stream: authenticatorsStream(tenantId, principalId), command, answer: { principalId } });

const commonRoute = {
  method: 'post',
  description:
    'For lost authenticators. Sessions continue; `…/sessions/end` ends them. A person without authenticators gets a new link. ' +
    'The caller needs all of the authority of the person, and a sign-in within the last five minutes.',
  scopes: ['principals:write'],
  body: WithReason,
  answer: PrincipalAnswer,
  decider: authenticator,
  problems: {
    ...peopleProblems,
    ...freshProblems,
    'principal-unknown': principalProblems['principal-unknown'],
    'scope-not-held': principalProblems['scope-not-held'],
  },
} as const;

export const removeTotpRoute = commandRoute<SignInDeps>()({
  ...commonRoute,
  path: '/v1/principals/:principalId/totp/remove',
  operation: 'removeTotp',
  sensitive: true,
  summary: "Remove a person's authenticator app",
  params: PrincipalPath,
  prepare: async (request, deps) => {
    const refused = await checkRemoval(deps, request);
    return refused === undefined
      ? prepareRemoval(request, { type: 'RemoveTotp', ...removalOf(request) })
      : left(refused);
  },
});

export const removePasskeyRoute = commandRoute<SignInDeps>()({
  ...commonRoute,
  path: '/v1/principals/:principalId/passkeys/:passkeyId/remove',
  operation: 'removePasskey',
  sensitive: true,
  summary: 'Remove a passkey of a person',
  params: record('PasskeyPath', { principalId: PrincipalId, passkeyId: PasskeyId }),
  prepare: async (request, deps) => {
    const refused = await checkRemoval(deps, request);
    if (refused !== undefined) return left(refused);
    const { params, tenantId, identity, commandId } = request;
    const { principalId, passkeyId } = params;
    const releasing = { type: 'ReleaseIdentifier', principalId, actor: callerOf(identity) } as const;
    // Releases the passkey's claim first: if a later step fails, the passkey is void and the command can be repeated.
    const context = { ...releasing, requestId: commandId, commandId };
    const released = await claimIdentifier(deps, { tenantId, kind: 'passkey', value: passkeyId }, context);
    if (isLeft(released)) return released;
    return prepareRemoval(request, { type: 'RemovePasskey', passkeyId, ...removalOf(request) });
  },
});
