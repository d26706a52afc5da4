/** POST /v1/documents/:documentId/operations:batch: commits a batch without opening the document. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { ClientId, DocumentId } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import { Operation } from '../../../../domain/editor/operation';
import { Outcome } from '../../../../domain/editor/outcome';
import { currentSchemaVersion, negotiateSchema, schemaCapability } from '../../../../domain/editor/schema-versions';
import { integer, record } from '../../../../domain/kernel/codec';
import { type Answer, type RouteRequest, route } from '../../../../infra/server/http/routing/route';
import { callerOf } from '../../../kernel/handle-request';
import type { DocumentHandle } from '../../document-owner/document-handle';
import { batchCost, countOutcomes, takeTokens } from '../message-handlers';
import { findOwner, forwardToOwner, type OwnerRoutingDeps } from '../owner-routing';
import { contentProblem, contentProblems, tooManyOperations } from './problems';

const CommittedAnswer = record('CommittedOperationsAnswer', {
  committedVersion: integer(0),
  /** The client id that was used; ids of the batch's new nodes begin with it. */
  clientId: ClientId,
  /** One per operation, in order. */
  results: t.array(Outcome, 'Outcomes'),
});

const Params = record('DocumentPath', { documentId: DocumentId });
const Batch = record(
  'OperationsBatch',
  { operations: t.array(Operation, 'OperationList') },
  {
    clientId: ClientId,
    /** Schema version of the batch; the default is the current one. */
    schemaVersion: integer(1, 9_999),
  },
);

type Request = RouteRequest<t.TypeOf<typeof Params>, unknown, t.TypeOf<typeof Batch>>;

const tooLarge = (bytes: number) =>
  bytes <= limits.batchBytes
    ? undefined
    : contentProblem({
        kind: 'rejection',
        code: 'batch-too-large',
        detail: `A batch takes at most ${limits.batchBytes} bytes.`,
      });

const commitHere = async (deps: OwnerRoutingDeps, request: Request, document: DocumentHandle): Promise<Answer> => {
  const { identity, body, requestId: correlationId } = request;
  const { operations } = body;
  const { principalId } = identity;
  const clientId = body.clientId ?? document.requestClientId(principalId);
  const bytes = Buffer.byteLength(JSON.stringify(operations));
  const refused = tooLarge(bytes);
  if (refused !== undefined) return refused;
  const schema = negotiateSchema([schemaCapability(body.schemaVersion ?? currentSchemaVersion)]);
  if (isLeft(schema)) return contentProblem({ kind: 'rejection', ...schema.left });
  const wait = takeTokens(deps, document, { principalId, clientId, cost: batchCost(operations, bytes) });
  if (wait !== undefined) return tooManyOperations(deps, wait);
  const done = await document.submit({
    ...{ clientId, principalId, operations, correlationId },
    actor: callerOf(identity),
    schema: schema.right,
  });
  if (isLeft(done)) return contentProblem(done.left);
  countOutcomes(deps, done.right);
  return { status: 200, body: { ...done.right, clientId } };
};

export const commitBatch = route<OwnerRoutingDeps>()({
  method: 'post',
  path: '/v1/documents/:documentId/operations\\:batch',
  operation: 'commitOperations',
  example: {
    clientId: 'k3Jx09aPqZ',
    operations: [
      {
        opId: 'k3Jx09aPqZ-1',
        documentId: '463edbb6-2f0a-5b4e-8a51-0f1e2d3c4b5a',
        actorId: '7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a',
        clientSeq: 1,
        baseVersion: 0,
        type: 'createNode',
        targetIds: [],
        payload: {
          nodes: [
            {
              id: 'k3Jx09aPqZ:1',
              type: 'rect',
              parentId: null,
              orderKey: 'V',
              properties: { transform: [1, 0, 0, 1, 40, 40], 'style.fill': '#0f5f5c' },
            },
          ],
        },
        createdAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  },
  summary: 'Commit a batch of operations: answered when they are in the log',
  sensitive: false,
  description:
    'Owners and editors. `clientSeq` increases by one from operation to operation, also across batches of one client. Without `clientId`, the server uses the one that the caller always has in this document. A batch that is sent again is committed once. Programs should send the `schemaVersion` that they were written for.',
  access: { scopes: ['documents:write'] },
  params: Params,
  body: Batch,
  // As on the socket, unknown fields of newer clients are ignored.
  unknownFields: 'ignored',
  // Only the operation that nests too deep is rejected, not the batch.
  tooDeep: 'cut',
  answers: { 200: { description: 'The outcome of each operation.', body: CommittedAnswer } },
  problems: contentProblems,
  handle: async (deps, request) => {
    const owner = await findOwner(deps, request, 'edit');
    if (isLeft(owner)) return owner.left;
    if (!('address' in owner.right)) return commitHere(deps, request, owner.right);
    return forwardToOwner(deps, request, { owner: owner.right, body: request.body });
  },
});
