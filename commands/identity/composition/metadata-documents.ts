/** Opens the cache of client id metadata documents, which are fetched from the public network. */
import type { TenantId } from '../../../domain/kernel/ids';
import { openRemoteDocument } from '../../../infra/adapters/remote/fetch-json';
import { createMetadataDocuments, type MetadataDocuments } from '../clients/metadata-document';

export interface MetadataDocumentConfig {
  readonly AUDIENCES: readonly string[];
  readonly SIGNING_ALGORITHM: 'ES256' | 'EdDSA';
  readonly PRIVATE_ADDRESSES: 'allow' | 'refuse';
  readonly REGISTRATION_TENANT?: TenantId;
  readonly BOOTSTRAP_TENANT: TenantId;
}

/** The draft recommends a limit of five kilobytes; keys that are inline take more. */
const largestBytes = 10 * 1024;

export const openMetadataDocuments = (values: MetadataDocumentConfig): MetadataDocuments =>
  createMetadataDocuments({
    fetch: openRemoteDocument({ allowPrivate: values.PRIVATE_ADDRESSES === 'allow', largestBytes }),
    tenantId: values.REGISTRATION_TENANT ?? values.BOOTSTRAP_TENANT,
    offer: { audiences: values.AUDIENCES, accessTokenAlgorithm: values.SIGNING_ALGORITHM },
  });
