/** Who changed which node of a document, at which version. */
import type * as t from 'io-ts';
import { DocumentId } from '../../../domain/editor/ids';
import { Instant, integer, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** Stands for the whole document. */
export const wholeDocument = '*';

export const NodeActivityRow = record('NodeActivityRow', {
  tenantId: TenantId,
  documentId: DocumentId,
  nodeId: text('ActiveNodeId', { maxLength: 64 }),
  version: integer(1),
  opId: text('ActiveOperationId', { maxLength: 64 }),
  type: text('ActiveOperationType', { maxLength: 32 }),
  actorId: text('ActiveActorId', { maxLength: 128 }),
  at: Instant,
  revision: integer(0),
});
export type NodeActivityRow = t.TypeOf<typeof NodeActivityRow>;

export const nodeActivityView: TableView<NodeActivityRow> = table({
  name: 'editor_activity',
  version: 2,
  row: NodeActivityRow,
  key: ['tenantId', 'documentId', 'nodeId', 'version'],
});
