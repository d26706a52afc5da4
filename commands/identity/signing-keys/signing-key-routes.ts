/** Routes for platform operators to rotate, revoke and retire signing keys. Created keys that were not recorded are destroyed. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { KeyId, platformTenant } from '../../../domain/identity/ids';
import { type SigningKeyCommand, signingKey } from '../../../domain/identity/signing-keys/decider';
import { SigningAlgorithm, signingKeysStream } from '../../../domain/identity/signing-keys/events';
import { keyUseOf, keyUses, type NewSigningKey } from '../../../domain/identity/signing-keys/state';
import { record } from '../../../domain/kernel/codec';
import type { NewKey } from '../../../infra/ports/kms';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type Route, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandRequest, PreparedCommand } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { WithReason } from '../principals/principal-routes';
import { keyProblems } from '../problems';
import { algorithmFor, destroyUnrecorded, type SigningKeyDeps, toKeyRecord } from './signing-key-commands';

type RouteHandler<Deps, Params, Body> = (deps: Deps, request: RouteRequest<Params, unknown, Body>) => Promise<Answer>;

const withKeyCleanup =
  <Deps extends SigningKeyDeps, Params, Body>({
    handle,
  }: Pick<Route<Deps, Params, unknown, Body>, 'handle'>): RouteHandler<Deps, Params, Body> =>
  async (deps, request) => {
    const made: string[] = [];
    const create: SigningKeyDeps['kms']['create'] = async (wanted) => {
      const key = await deps.kms.create(wanted);
      if (!isLeft(key)) made.push(key.right.kid);
      return key;
    };
    const answer = await handle({ ...deps, kms: { ...deps.kms, create } }, request);
    await deps.keys.refresh();
    for (const kid of made) await destroyUnrecorded(deps, kid);
    return answer;
  };

export interface SigningKeyRouteDeps extends SigningKeyDeps {
  /** Tenant of the platform's operators. */
  readonly operators: string;
}

type SigningKeyRequest = Pick<CommandRequest<unknown, unknown>, 'identity' | 'commandId' | 'at'>;

const checkOperator = ({ operators }: SigningKeyRouteDeps, { identity }: SigningKeyRequest): Problem | undefined =>
  identity.tenantId === operators
    ? undefined
    : problem('forbidden', 'Only operators of the platform change signing keys.');

const prepareKeyCommand = (
  command: SigningKeyCommand,
  kid: string,
): Either<Problem, PreparedCommand<SigningKeyCommand>> =>
  right({ stream: signingKeysStream, tenant: platformTenant, command, answer: { kid } });

/** Named by the command id and the use, so that a retry finds the same key. */
const createReplacement = async (
  { kms }: SigningKeyRouteDeps,
  { commandId }: SigningKeyRequest,
  algorithm: NewKey['algorithm'],
): Promise<Either<Problem, NewSigningKey>> => {
  const name = keyUseOf({ algorithm }) === 'access-token' ? commandId : derivedId('id-token-key', commandId);
  const key = await kms.create({ algorithm, name });
  return isLeft(key) ? left(problemOf(key.left, keyProblems)) : right(toKeyRecord(key.right, kms));
};

const createReplacements = async (
  deps: SigningKeyRouteDeps,
  request: SigningKeyRequest,
  algorithms: readonly NewKey['algorithm'][],
): Promise<Either<Problem, readonly NewSigningKey[]>> => {
  const made: NewSigningKey[] = [];
  for (const algorithm of algorithms) {
    const key = await createReplacement(deps, request, algorithm);
    if (isLeft(key)) return key;
    made.push(key.right);
  }
  return right(made);
};

const commonRoute = {
  method: 'post',
  scopes: ['keys:write'],
  answer: record('SigningKeyAnswer', { kid: KeyId }),
  decider: signingKey,
  problems: keyProblems,
} as const;

const KeyPath = record('SigningKeyPath', { kid: KeyId });

const rotateSpec = commandRoute<SigningKeyRouteDeps>()({
  ...commonRoute,
  path: '/v1/signing-keys/rotate',
  operation: 'rotateSigningKeys',
  danger: true,
  summary: 'Begin a rotation of the signing keys',
  description:
    'Publishes the next keys at once, of access tokens and of ID tokens; with `algorithm` only the one of that algorithm (RS256 signs ' +
    'ID tokens). They sign in place of the active ones minutes later, when every verifier can know them. `kid` is the first of them. ' +
    'For operators of the platform.',
  body: record('RotateSigningKeys', {}, { algorithm: SigningAlgorithm }),
  created: true,
  prepare: async ({ body, ...request }, deps) => {
    const refusal = checkOperator(deps, request);
    if (refusal !== undefined) return left(refusal);
    const algorithms = body.algorithm === undefined ? keyUses.map((use) => algorithmFor(deps, use)) : [body.algorithm];
    const keys = await createReplacements(deps, request, algorithms);
    if (isLeft(keys)) return keys;
    const [{ kid } = { kid: '' }] = keys.right;
    return prepareKeyCommand({ type: 'PublishKeys', keys: keys.right, at: request.at }, kid);
  },
});

const revokeSpec = commandRoute<SigningKeyRouteDeps>()({
  ...commonRoute,
  path: '/v1/signing-keys/:kid/revoke',
  operation: 'revokeSigningKey',
  sensitive: true,
  summary: 'Revoke a signing key',
  description:
    'Every token that it ever signed is refused from now on. Revoking the active key also makes another one, which signs at once. ' +
    'For operators of the platform.',
  params: KeyPath,
  body: WithReason,
  prepare: async ({ params: { kid }, body: { reason }, ...request }, deps) => {
    const refusal = checkOperator(deps, request);
    if (refusal !== undefined) return left(refusal);
    const known = await deps.keys.refresh();
    if (isLeft(known)) return left(problemOf(known.left, {}));
    const key = known.right.get(kid);
    const revoke = { type: 'RevokeKey', kid, reason, at: request.at } as const;
    if (key?.status !== 'active') return prepareKeyCommand({ ...revoke, replacement: null }, kid);
    const replacement = await createReplacement(deps, request, key.algorithm);
    return isLeft(replacement) ? replacement : prepareKeyCommand({ ...revoke, replacement: replacement.right }, kid);
  },
});

const retireSpec = commandRoute<SigningKeyRouteDeps>()({
  ...commonRoute,
  path: '/v1/signing-keys/:kid/retire',
  operation: 'retireSigningKey',
  sensitive: true,
  summary: 'Retire a signing key',
  description:
    'It no longer signs; its tokens are accepted until they expire. The active key is retired in favour of the next, ' +
    'once that may sign; one that never signed is withdrawn. For operators of the platform.',
  params: KeyPath,
  prepare: ({ params: { kid }, ...request }, deps) => {
    const refusal = checkOperator(deps, request);
    return refusal === undefined ? prepareKeyCommand({ type: 'RetireKey', kid, at: request.at }, kid) : left(refusal);
  },
});

export const rotateKeysRoute = route<SigningKeyRouteDeps>()({ ...rotateSpec, handle: withKeyCleanup(rotateSpec) });
export const revokeKeyRoute = route<SigningKeyRouteDeps>()({ ...revokeSpec, handle: withKeyCleanup(revokeSpec) });
export const retireKeyRoute = route<SigningKeyRouteDeps>()({ ...retireSpec, handle: withKeyCleanup(retireSpec) });
