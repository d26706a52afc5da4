/** Where an uploaded file is, in object storage. It is needed for as long as the import runs, and removed a day after its upload. */
import type { ImportId } from '../../../../domain/geo/ids';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { TemporaryKey } from '../../../../infra/ports/blob-store';

export const fileKey = (tenant: TenantId, importId: ImportId): TemporaryKey =>
  `temporary/geo/imports/${tenant}/${importId}`;
