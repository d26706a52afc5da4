/** POST /v1/documents/:documentId/versions/:version:restore: makes an earlier version current, as a new operation. */
import { isLeft } from 'fp-ts/Either';
import { DocumentId } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import { integer, record, text } from '../../../../domain/kernel/codec';
import { type Answer, type RouteRequest, route } from '../../../../infra/server/http/routing/route';
import { commandHeaderDocs, commandHeaders } from '../../../kernel/command-headers';
import { derivedId } from '../../../kernel/deterministic-ids';
import { callerOf } from '../../../kernel/handle-request';
import type { DocumentHandle } from '../../document-owner/document-handle';
import { countOutcomes, takeTokens } from '../message-handlers';
import { findOwner, forwardToOwner, type OwnerRoutingDeps } from '../owner-routing';
import { contentProblem, restoreProblems, tooManyOperations } from './problems';

interface Params {
  readonly documentId: DocumentId;
  readonly version: string;
}

const Version = text('VersionNumber', { maxLength: 15, pattern: '0|[1-9][0-9]*', examples: ['17'] });
const RestoredVersion = record('RestoredVersion', { committedVersion: integer(0) });

type Request = RouteRequest<Params, unknown, unknown>;

const restoreHere = async (
  deps: OwnerRoutingDeps,
  request: Request,
  { document, key }: { readonly document: DocumentHandle; readonly key: string },
): Promise<Answer> => {
  const { identity, requestId: correlationId, params } = request;
  const { principalId } = identity;
  const { documentId } = params;
  const cost = { operations: limits.rates.restoring, bytes: 0 };
  const wait = takeTokens(deps, document, { principalId, clientId: 'restore', cost });
  if (wait !== undefined) return tooManyOperations(deps, wait);
  const commandId = derivedId('command', identity.tenantId, principalId, `${documentId} ${key}`);
  const done = await document.restore({
    ...{ principalId, correlationId, commandId },
    actor: callerOf(identity),
    version: Number(params.version),
  });
  if (!isLeft(done)) {
    countOutcomes(deps, done.right);
    const { committedVersion } = done.right;
    return { status: 200, body: { committedVersion }, headers: { 'Idempotency-Key': key } };
  }
  return contentProblem(done.left);
};

export const restoreVersion = route<OwnerRoutingDeps>()({
  method: 'post',
  path: '/v1/documents/:documentId/versions/:version\\:restore',
  operation: 'restoreVersion',
  summary: 'Restore an earlier version: later versions stay in the history',
  sensitive: false,
  description: 'Owners and editors. It is a new version, which every open client sees at once.',
  access: { scopes: ['documents:write'] },
  params: record('VersionPath', { documentId: DocumentId, version: Version }),
  headers: commandHeaderDocs.filter(({ name }) => name === 'Idempotency-Key'),
  answers: { 200: { description: 'The version that it became.', body: RestoredVersion, headers: ['Idempotency-Key'] } },
  problems: restoreProblems,
  handle: async (deps, request) => {
    const read = commandHeaders(request.headers);
    if (isLeft(read)) return read.left;
    const { key = deps.random.uuid() } = read.right;
    const owner = await findOwner(deps, request, 'edit');
    if (isLeft(owner)) return owner.left;
    if (!('address' in owner.right)) return restoreHere(deps, request, { document: owner.right, key });
    return forwardToOwner(deps, request, { owner: owner.right, body: {}, headers: { 'idempotency-key': key } });
  },
});
