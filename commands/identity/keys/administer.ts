/** Operators of the platform rotate, revoke and retire its signing keys. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { KeyId } from '../../../domain/identity/ids';
import { type SigningKeyCommand, signingKey } from '../../../domain/identity/signing-keys/decider';
import { SigningAlgorithm } from '../../../domain/identity/signing-keys/events';
import { platformTenant, signingKeysStream } from '../../../domain/identity/streams';
import { record } from '../../../domain/kernel/codec';
import { type Problem, problem, problemOf } from '../../../infra/http/problem';
import { route } from '../../../infra/http/route';
import type { NewKey } from '../../../infra/ports/kms';
import { commandRoute } from '../../kernel/command-route';
import type { Asked, Prepared } from '../../kernel/command-spec';
import { WithReason } from '../principals/principal';
import type { KeyDeps } from './decided';
import { recordOf } from './held-key';
import { keyProblems } from './problems';
import { tidied } from './tidied';

export interface AdministerDeps extends KeyDeps {
  /** Whose principals operate the platform. */
  readonly operators: string;
}

type AnyAsked = Pick<Asked<unknown, unknown>, 'identity' | 'commandId' | 'at'>;

const refused = ({ operators }: AdministerDeps, { identity }: AnyAsked): Problem | undefined =>
  identity.tenantId === operators
    ? undefined
    : problem('forbidden', 'Signing keys are the platform’s: only its operators change them.');

const prepared = (command: SigningKeyCommand, kid: string): Either<Problem, Prepared<SigningKeyCommand>> =>
  right({ stream: signingKeysStream, tenant: platformTenant, command, answer: { kid } });

/** Named by the command, so that a retry finds the key that the first one made. */
const made = async ({ kms }: AdministerDeps, { commandId }: AnyAsked, algorithm: NewKey['algorithm']) => {
  const key = await kms.create({ algorithm, name: commandId });
  return isLeft(key) ? left(problemOf(key.left, keyProblems)) : right(recordOf(key.right, kms));
};

const common = {
  method: 'post',
  scopes: ['keys:write'],
  answer: record('SigningKeyAnswer', { kid: KeyId }),
  decider: signingKey,
  problems: keyProblems,
} as const;

const KeyPath = record('SigningKeyPath', { kid: KeyId });

const rotated = commandRoute<AdministerDeps>()({
  ...common,
  path: '/v1/signing-keys/rotate',
  operation: 'rotateSigningKeys',
  danger: true,
  summary: 'Begin a rotation of the signing keys',
  description:
    'Publishes the next key at once. It signs in place of the active one minutes later, when every verifier can know it. ' +
    'For operators of the platform.',
  body: record('RotateSigningKeys', {}, { algorithm: SigningAlgorithm }),
  created: true,
  prepare: async ({ body, ...asked }, deps) => {
    const refusal = refused(deps, asked);
    if (refusal !== undefined) return left(refusal);
    const key = await made(deps, asked, body.algorithm ?? deps.algorithm);
    if (isLeft(key)) return key;
    return prepared({ type: 'PublishKey', key: key.right, at: asked.at }, key.right.kid);
  },
});

const revoked = commandRoute<AdministerDeps>()({
  ...common,
  path: '/v1/signing-keys/:kid/revoke',
  operation: 'revokeSigningKey',
  sensitive: true,
  summary: 'Revoke a signing key',
  description:
    'Every token that it ever signed is refused from now on. Revoking the active key also makes another one, which signs at once. ' +
    'For operators of the platform.',
  params: KeyPath,
  body: WithReason,
  prepare: async ({ params: { kid }, body: { reason }, ...asked }, deps) => {
    const refusal = refused(deps, asked);
    if (refusal !== undefined) return left(refusal);
    const known = await deps.keys.refresh();
    if (isLeft(known)) return left(problemOf(known.left, {}));
    const key = known.right.get(kid);
    const revoke = { type: 'RevokeKey', kid, reason, at: asked.at } as const;
    if (key?.status !== 'active') return prepared({ ...revoke, replacement: null }, kid);
    const replacement = await made(deps, asked, key.algorithm);
    return isLeft(replacement) ? replacement : prepared({ ...revoke, replacement: replacement.right }, kid);
  },
});

const retired = commandRoute<AdministerDeps>()({
  ...common,
  path: '/v1/signing-keys/:kid/retire',
  operation: 'retireSigningKey',
  sensitive: true,
  summary: 'Retire a signing key',
  description:
    'It signs no more; what it signed is accepted until it has expired. The active key is retired in favour of the next, ' +
    'once that may sign; one that never signed is withdrawn. For operators of the platform.',
  params: KeyPath,
  prepare: ({ params: { kid }, ...asked }, deps) => {
    const refusal = refused(deps, asked);
    return refusal === undefined ? prepared({ type: 'RetireKey', kid, at: asked.at }, kid) : left(refusal);
  },
});

export const rotateKeysRoute = route<AdministerDeps>()({ ...rotated, handle: tidied(rotated) });
export const revokeKeyRoute = route<AdministerDeps>()({ ...revoked, handle: tidied(revoked) });
export const retireKeyRoute = route<AdministerDeps>()({ ...retired, handle: tidied(retired) });
