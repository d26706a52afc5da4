/** Where files and what is made of them lie in object storage. What belongs to a file begins with its prefix, so that its deletion finds all of it. */
import type { TenantId } from '../../kernel/ids';
import type { FileId, VersionId } from '../ids';

export const tenantPrefix = (tenant: TenantId): string => `files/${tenant}/`;

export const filePrefix = (tenant: TenantId, fileId: FileId): string => `${tenantPrefix(tenant)}${fileId}/`;

export const versionKey = (tenant: TenantId, fileId: FileId, versionId: VersionId): string =>
  `${filePrefix(tenant, fileId)}${versionId}/raw`;

/** Outputs of a claim have a name of their own: only the event names the ones that count. */
export const outputKey = (
  tenant: TenantId,
  {
    fileId,
    versionId,
    pipelineVersion,
  }: { readonly fileId: FileId; readonly versionId: VersionId; readonly pipelineVersion: number },
  name: string,
): string => `${filePrefix(tenant, fileId)}${versionId}/p${pipelineVersion}/${name}`;
