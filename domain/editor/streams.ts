/** Names of this context's streams. */
import { streamName, type TenantId } from '../kernel/ids';
import type { DocumentId } from './ids';

/** One document among all tenants'. */
export interface DocumentKey {
  readonly tenant: TenantId;
  readonly documentId: DocumentId;
}

/** Title, members, trash: what is said of a document. */
export const documentStream = (tenant: TenantId, id: DocumentId): string =>
  streamName({ context: 'editor', aggregate: 'document', tenant, id });

/** What is in it: operations in their order, appended by its owner alone. */
export const logStream = (tenant: TenantId, id: DocumentId): string =>
  streamName({ context: 'editor', aggregate: 'log', tenant, id });
