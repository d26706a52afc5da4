/** The last committed version of a document, as its log says now; 0 where nothing was committed yet. */
import type { Either } from 'fp-ts/Either';
import type { DocumentId } from '../../../domain/editor/ids';
import { logStream } from '../../../domain/editor/streams';
import type { TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import { headVersionOf } from '../snapshots/version-place';

export const headVersion = (
  pages: StreamReader,
  tenant: TenantId,
  documentId: DocumentId,
): Promise<Either<EventStoreFault, number>> => headVersionOf(pages, logStream(tenant, documentId));
