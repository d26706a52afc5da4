/** What the routes of documents share. */
import { type Either, left, right } from 'fp-ts/Either';
import { document } from '../../../domain/editor/document/decider';
import { DocumentId } from '../../../domain/editor/ids';
import { documentStream } from '../../../domain/editor/streams';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { type Problem, problem } from '../../../infra/http/problem';
import type { Kms } from '../../../infra/ports/kms';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import type { Asked, CommandDeps } from '../../kernel/command-spec';
import { documentProblems } from './problems';

export interface DocumentDeps extends CommandDeps {
  readonly kms: Pick<Kms, 'derive'>;
  /** Pages of one stream: where the content of a document has come to. */
  readonly pages: StreamReader;
}

export const DocumentPath = record('DocumentPath', { documentId: DocumentId });
const DocumentAnswer = record('DocumentAnswer', { documentId: DocumentId });

/** Everybody who may change something, what concerns nobody but oneself, and whoever administers the tenant. */
export const scopes = { write: ['documents:write'], own: ['documents:read'], admin: ['documents:admin'] };

export const documentRouteDefaults = {
  answer: DocumentAnswer,
  decider: document,
  problems: documentProblems,
  scopes: scopes.write,
  /** Of authority over one document alone, which is read with each command. */
  sensitive: false,
};

type DocumentRequest = Pick<Asked<{ readonly documentId: DocumentId }, unknown>, 'params' | 'identity' | 'tenantId'>;

export interface CommandSubject {
  readonly stream: string;
  readonly documentId: DocumentId;
  readonly by: PrincipalId;
}

/** Who asks, of which document, and where that stands. */
export const commandSubject = ({
  params: { documentId },
  identity,
  tenantId,
}: DocumentRequest): Either<Problem, CommandSubject> => {
  const { principalId: by } = identity;
  // Signed by the gateway, but about to become a member's name.
  if (!PrincipalId.is(by)) return left(problem('forbidden', 'The token is of nobody who could be a member.'));
  return right({ stream: documentStream(tenantId, documentId), documentId, by });
};
