/** Stream names of the editor. */
import { streamName, type TenantId } from '../kernel/ids';
import type { DocumentId } from './ids';

/** One document among all tenants'. */
export interface DocumentKey {
  readonly tenant: TenantId;
  readonly documentId: DocumentId;
}

/** The document's title, members and trash state, without its content. */
export const documentStream = (tenant: TenantId, id: DocumentId): string =>
  streamName({ context: 'editor', aggregate: 'document', tenant, id });

/** The operation log, appended by the owner only. */
export const logStream = (tenant: TenantId, id: DocumentId): string =>
  streamName({ context: 'editor', aggregate: 'log', tenant, id });
