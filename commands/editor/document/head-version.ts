/** Reads the last committed version of a document from its log; 0 if there is none. */
import type { Either } from 'fp-ts/Either';
import type { DocumentId } from '../../../domain/editor/ids';
import { logStream } from '../../../domain/editor/operation-log/events';
import type { TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import { readHeadVersion } from '../../../infra/server/documents/version-search';

export const readDocumentHeadVersion = (
  pages: StreamReader,
  tenant: TenantId,
  documentId: DocumentId,
): Promise<Either<EventStoreFault, number>> => readHeadVersion(pages, logStream(tenant, documentId));
