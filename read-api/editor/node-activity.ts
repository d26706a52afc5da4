/** GET /v1/documents/:documentId/nodes/:nodeId/activity: changes of a node. */
import { DocumentId, OperationId } from '../../domain/editor/ids';
import { OperationType } from '../../domain/editor/operation';
import { record, text } from '../../domain/kernel/codec';
import { NodeActivityRow, nodeActivityView } from '../../projections/editor/activity/view';
import { pageRoute } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';
import { scopes, withDocumentAccess } from './access-guard';

const NodeActivity = record('NodeActivity', {
  ...answerFields(NodeActivityRow, 'documentId', 'nodeId'),
  opId: OperationId,
  type: OperationType,
  actorId: text('ActorId', { examples: ['7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'], maxLength: 128 }),
});

/** `*` stands for the document. */
const ActiveNode = text('ActiveNode', {
  examples: ['a1b2c3d4e5:1'],
  maxLength: 64,
  pattern: '[0-9A-Za-z]{10}:[1-9][0-9]{0,15}|\\*',
});

export const listNodeActivity = withDocumentAccess(
  { of: 'rows' },
  pageRoute({
    path: '/v1/documents/:documentId/nodes/:nodeId/activity',
    operation: 'listNodeActivity',
    summary: 'List changes of a node of a document, latest first',
    description:
      'Of several changes within one batch the last is here. Operations on more than 200 nodes are changes of the document: they are here for the node `*`.',
    scopes,
    params: record('NodeParams', { documentId: DocumentId, nodeId: ActiveNode }),
    item: NodeActivity,
    view: nodeActivityView,
    filters: {},
    order: [{ field: 'version', direction: 'desc' }],
    rows: ({ documentId, nodeId }) => ({ where: { documentId, nodeId } }),
    show: ({ version, opId, type, actorId, at }) => ({ version, opId, type, actorId, at }),
  }),
);
