/** Names of this context's streams. */
import { streamName, type TenantId } from '../kernel/ids';

/** How the names of all of them begin. */
export const subjectStreams = 'privacy.subject-';

export const subjectStream = (tenant: TenantId, hash: string): string =>
  streamName({ context: 'privacy', aggregate: 'subject', tenant, id: hash });
