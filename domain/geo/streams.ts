/** Names of this context's streams. */
import { streamName, type TenantId } from '../kernel/ids';
import type { EntityId, ImportId } from './ids';

export const placeStream = (tenant: TenantId, id: EntityId): string =>
  streamName({ context: 'geo', aggregate: 'place', tenant, id });

/** By the source's name, which may have dots. */
export const sourceStream = (tenant: TenantId, source: string): string =>
  streamName({ context: 'geo', aggregate: 'source', tenant, id: source });

export const importStream = (tenant: TenantId, id: ImportId): string =>
  streamName({ context: 'geo', aggregate: 'import', tenant, id });
