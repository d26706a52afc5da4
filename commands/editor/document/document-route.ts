/** Shared parts of document routes: path, scopes, and the command's subject. */
import { type Either, left, right } from 'fp-ts/Either';
import { document } from '../../../domain/editor/document/decider';
import { documentStream } from '../../../domain/editor/document/events';
import { DocumentId } from '../../../domain/editor/ids';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import type { Kms } from '../../../infra/ports/kms';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import { type Problem, problem } from '../../../infra/server/http/problem';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { documentProblems } from './problems';

export interface DocumentDeps extends CommandDeps {
  readonly kms: Pick<Kms, 'derive'>;
  /** Pages of one stream, to read the head version of a document. */
  readonly pages: StreamReader;
}

export const DocumentPath = record('DocumentPath', { documentId: DocumentId });
const DocumentAnswer = record('DocumentAnswer', { documentId: DocumentId });

/** `write`: changes to a document. `own`: what concerns only the caller. `admin`: tenant administrators. */
export const scopes = { write: ['documents:write'], own: ['documents:read'], admin: ['documents:admin'] };

export const documentRouteDefaults = {
  answer: DocumentAnswer,
  decider: document,
  problems: documentProblems,
  scopes: scopes.write,
  /** Of authority over one document alone, which is read with each command. */
  sensitive: false,
};

type DocumentRequest = Pick<
  CommandRequest<{ readonly documentId: DocumentId }, unknown>,
  'params' | 'identity' | 'tenantId'
>;

export interface CommandSubject {
  readonly stream: string;
  readonly documentId: DocumentId;
  readonly by: PrincipalId;
}

/** The command's stream, document and author. */
export const commandSubject = ({
  params: { documentId },
  identity,
  tenantId,
}: DocumentRequest): Either<Problem, CommandSubject> => {
  const { principalId: by } = identity;
  // The gateway signed it, but it will be stored as a member's id.
  if (!PrincipalId.is(by)) return left(problem('forbidden', 'The token’s principal cannot be a member.'));
  return right({ stream: documentStream(tenantId, documentId), documentId, by });
};
