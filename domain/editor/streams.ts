/** Stream names of the editor. */
import { contextStreams } from '../kernel/context-streams';
import type { TenantId } from '../kernel/ids';
import type { DocumentId } from './ids';

export const streams = contextStreams('editor', ['document', 'log']);

/** One document among all tenants'. */
export interface DocumentKey {
  readonly tenant: TenantId;
  readonly documentId: DocumentId;
}

/** The document's title, members and trash state, without its content. */
export const documentStream = streams.of<DocumentId>('document');

/** The operation log, appended by the owner only. */
export const logStream = streams.of<DocumentId>('log');
