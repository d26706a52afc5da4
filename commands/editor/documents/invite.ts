/** POST /v1/documents/:documentId/invitations: somebody of the tenant, or whoever shows a secret first. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { InvitationId } from '../../../domain/editor/ids';
import { Role } from '../../../domain/editor/roles';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/streams';
import { integer, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { type Problem, problemOf } from '../../../infra/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { Asked } from '../../kernel/command-spec';
import { loadStream } from '../../kernel/load-stream';
import { about, common, type DocumentDeps, DocumentPath } from './common';
import { invitationProblems } from './problems';
import { deriveSecret, hashOfSecret, SharingSecret } from './secret';

const week = 7 * 86_400;
const quarter = 90 * 86_400;

const NewInvitation = record(
  'NewInvitation',
  { role: Role },
  {
    /** Left out: whoever shows the answer's secret first. */
    principalId: PrincipalId,
    expiresInSeconds: integer(60, quarter),
  },
);

const unknown = (): Either<Problem, never> =>
  left(
    problemOf(
      { kind: 'rejection', code: 'principal-unknown', detail: 'principalId names nobody of this tenant.' },
      invitationProblems,
    ),
  );

type Invited = Asked<{ readonly documentId: string }, { readonly principalId?: PrincipalId }>;

const isOfTenant = async (deps: DocumentDeps, { tenantId, body }: Invited): Promise<Either<Problem, void>> => {
  if (body.principalId === undefined) return right(undefined);
  const found = await loadStream(deps, principal, principalStream(tenantId, body.principalId));
  if (isLeft(found)) return left(problemOf(found.left, {}));
  return found.right.kind === 'none' ? unknown() : right(undefined);
};

export const inviteRoute = commandRoute<DocumentDeps>()({
  ...common,
  method: 'post',
  path: '/v1/documents/:documentId/invitations',
  operation: 'inviteToDocument',
  summary: 'Invite somebody to a document',
  description:
    'Owners only. Without `principalId` the answer holds a secret, for whoever of the tenant shows it first; it is shown here only, and by a retry under the same `Idempotency-Key`. An invitation to the same principal takes the place of the one before. It is over after a week, or `expiresInSeconds`.',
  params: DocumentPath,
  body: NewInvitation,
  created: true,
  answer: record('InvitationAnswer', { invitationId: InvitationId }, { secret: SharingSecret }),
  problems: invitationProblems,
  prepare: async (asked, deps) => {
    const named = about(asked);
    if (isLeft(named)) return named;
    const known = await isOfTenant(deps, asked);
    if (isLeft(known)) return known;
    const { stream, documentId, by } = named.right;
    const { tenantId, commandId, at } = asked;
    const { role, principalId = null, expiresInSeconds = week } = asked.body;
    const secret = await deriveSecret(deps.kms, { kind: 'invitation', tenantId, documentId, commandId });
    if (isLeft(secret)) return left(problemOf(secret.left, {}));
    const invitationId = asked.derivedId('invitation') as InvitationId;
    const shown = principalId === null ? { secret: secret.right } : {};
    const secretHash = principalId === null ? hashOfSecret(secret.right) : null;
    const said = { invitationId, role, principalId, secretHash, at, expiresAt: plusSeconds(at, expiresInSeconds) };
    return right({
      stream,
      command: { type: 'InviteMember' as const, documentId, by, ...said },
      answer: { invitationId, ...shown },
    });
  },
});
