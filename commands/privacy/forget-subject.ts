/** POST /v1/privacy/forget: records the erasure first, so that it completes after any failure. */
import { isLeft, left, right } from 'fp-ts/Either';
import { record, text } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { type ForgetSubject, subject } from '../../domain/privacy/subject/decider';
import { ForgetReason, SubjectHash, subjectStream } from '../../domain/privacy/subject/events';
import type { Vault } from '../../infra/ports/vault';
import { problemOf } from '../../infra/server/http/problem';
import { type Answer, type Route, type RouteRequest, route } from '../../infra/server/http/routing/route';
import { commandRoute } from '../kernel/command-route';
import type { CommandDeps } from '../kernel/command-spec';
import { eraseKeysOfStream } from './erase-keys';

export interface ForgetDeps extends CommandDeps {
  readonly vault: Vault;
}

const Forget = record('Forget', {
  /** Subject id as in events; opaque. */
  subject: text('SubjectId', { maxLength: 256, examples: ['0b0e6f3c-5f1c-5d1e-9a52-1a2b3c4d5e6f'] }),
  reason: ForgetReason,
});

const recordRoute = commandRoute<ForgetDeps>()({
  method: 'post',
  path: '/v1/privacy/forget',
  operation: 'forgetSubject',
  danger: true,
  summary: 'Erase the personal data of a person',
  description:
    'Deletes permanently the key that seals the personal data of this subject, in the log and in its backups. ' +
    'Read models lose it within seconds. Data recorded about the subject afterwards is stored again.',
  scopes: ['privacy:write'],
  body: Forget,
  answer: record('ForgottenSubject', { subject: SubjectHash }),
  decider: subject,
  problems: {},
  prepare: async ({ body, tenantId }, { vault }) => {
    const hash = vault.subjectOf(tenantId, body.subject);
    const keys = await vault.keysOf(hash);
    if (isLeft(keys)) return left(problemOf(keys.left, {}));
    const command: ForgetSubject = { type: 'ForgetSubject', subject: hash, keys: keys.right, reason: body.reason };
    return right({ stream: subjectStream(tenantId, hash), command, answer: { subject: hash } });
  },
});

type ForgetRequest =
  typeof recordRoute extends Route<ForgetDeps, infer Params, infer Query, infer Body>
    ? RouteRequest<Params, Query, Body>
    : never;

const isRecorded = (answer: Answer): boolean => 'status' in answer && answer.status < 300;

/** Erases at once instead of waiting for the follower. */
const forgetSubject = async (deps: ForgetDeps, request: ForgetRequest): Promise<Answer> => {
  const answer = await recordRoute.handle(deps, request);
  const { tenantId } = request.identity;
  if (!isRecorded(answer) || !TenantId.is(tenantId)) return answer;
  const hash = deps.vault.subjectOf(tenantId, request.body.subject);
  const erased = await eraseKeysOfStream(deps, subjectStream(tenantId, hash));
  return isLeft(erased) ? problemOf(erased.left, {}) : answer;
};

export const forgetRoute = route<ForgetDeps>()({ ...recordRoute, handle: forgetSubject });
