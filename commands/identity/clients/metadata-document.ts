/** Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): the requirements on a document, and a cache of them. */

import { hash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { LRUCache } from 'lru-cache';
import { type ClientMetadata, MetadataUrl } from '../../../domain/identity/client/events';
import { checkMetadata } from '../../../domain/identity/client/metadata-rules';
import { isHttps } from '../../../domain/identity/client/redirect-uri';
import { ApplicationId } from '../../../domain/identity/ids';
import { personScopes } from '../../../domain/identity/scopes';
import type { TenantId } from '../../../domain/kernel/ids';
import type { FetchRemoteDocument } from '../../../infra/ports/identity/remote-document';
import { parseWireMetadata } from '../oauth/client-registration/wire-metadata';
import type { ApplicationClientName } from './client-id';
import type { ClientOffer } from './client-metadata';

/** Why a document is no client, as the end of a sentence. */
export interface DocumentFault {
  readonly kind: 'document-fault';
  readonly detail: string;
}

type ParsedDocument = Either<DocumentFault, ClientMetadata>;

const documentFault = (detail: string): Either<DocumentFault, never> => left({ kind: 'document-fault', detail });

/** Section 3. Only URLs that are written in their plain form: comparisons are of texts, and dot segments do not survive parsing. */
export const isMetadataUrl = (written: string): boolean =>
  MetadataUrl.is(written) && isHttps(written) && new URL(written).href === written;

/** The client within its tenant; the URL itself cannot be the name of a stream. */
export const metadataClientName = (tenantId: TenantId, url: string): ApplicationClientName => {
  const applicationId = `url-${hash('sha256', url, 'base64url')}`;
  if (!ApplicationId.is(applicationId)) throw new Error('a hash is not a valid id');
  return { tenantId, applicationId };
};

const grantTypes = ['authorization_code', 'refresh_token'];
/** Section 4.1: nothing that rests on a shared secret, because the document is public. */
const authenticationMethods = ['none', 'private_key_jwt'];
const usualScopes = ['openid', 'profile', 'email', 'offline_access'];

const textsIn = (value: unknown): readonly string[] | undefined => (t.array(t.string).is(value) ? value : undefined);

/** Of people only, as for clients that register themselves. Scopes of other servers may stand there, too. */
const scopesIn = (scope: unknown): readonly string[] => {
  const words = typeof scope === 'string' ? scope.split(' ') : usualScopes;
  const known = words.filter((word) => personScopes.some((one) => one === word));
  return known.length > 0 ? known : usualScopes;
};

export const parseMetadataDocument = (url: string, content: unknown, offer: ClientOffer): ParsedDocument => {
  if (!t.UnknownRecord.is(content)) return documentFault('is not a JSON object.');
  const { client_id: clientId, token_endpoint_auth_method: method = 'none', redirect_uris: addresses } = content;
  if (clientId !== url) return documentFault('has a client_id that is not its own URL.');
  if ('client_secret' in content || 'client_secret_expires_at' in content)
    return documentFault('contains a client_secret, which anyone could read.');
  if (!authenticationMethods.some((one) => one === method))
    return documentFault('has a token_endpoint_auth_method that is neither none nor private_key_jwt.');
  if (textsIn(addresses) === undefined) return documentFault('has no redirect_uris.');
  const granted = (textsIn(content.grant_types) ?? grantTypes).filter((one) => grantTypes.includes(one));
  const wire = {
    ...content,
    client_name: content.client_name ?? new URL(url).host,
    token_endpoint_auth_method: method,
    grant_types: granted,
    response_types: ['code'],
    scope: scopesIn(content.scope).join(' '),
  };
  const metadata = parseWireMetadata(wire, offer);
  if (isLeft(metadata)) return documentFault(`is refused: ${metadata.left.description}`);
  const fault = checkMetadata(metadata.right, { grantable: [], audiences: offer.audiences });
  return fault === undefined ? metadata : documentFault(`is refused: ${fault.detail}`);
};

export interface MetadataDocuments {
  /** Whose clients these are: a URL does not name a tenant. */
  readonly tenantId: TenantId;
  readonly of: (url: string) => Promise<ParsedDocument>;
}

/** Section 4.2: cached by its headers, within bounds. */
const freshSeconds = { least: 60, most: 86_400, usual: 300 };
const maxDocuments = 1_000;
/** Each of them is a request that a stranger has us make. */
const maxFetches = 16;

interface CachedDocument {
  readonly metadata: ClientMetadata;
  readonly until: number;
}

export interface MetadataDocumentOptions {
  readonly fetch: FetchRemoteDocument;
  readonly tenantId: TenantId;
  readonly offer: ClientOffer;
  readonly now?: () => number;
}

/** Failures are not cached; requests for one document at the same time share its fetch. */
export const createMetadataDocuments = ({
  fetch,
  tenantId,
  offer,
  now = Date.now,
}: MetadataDocumentOptions): MetadataDocuments => {
  const cache = new LRUCache<string, CachedDocument>({ max: maxDocuments });
  const fetching = new Map<string, Promise<ParsedDocument>>();
  const store = (url: string, metadata: ClientMetadata, fresh: number): void => {
    const seconds = Math.min(Math.max(fresh, freshSeconds.least), freshSeconds.most);
    cache.set(url, { metadata, until: now() + seconds * 1000 });
  };
  const load = async (url: string): Promise<ParsedDocument> => {
    const fetched = await fetch(url);
    if (isLeft(fetched)) return documentFault('cannot be fetched.');
    const metadata = parseMetadataDocument(url, fetched.right.content, offer);
    if (isLeft(metadata)) cache.delete(url);
    else store(url, metadata.right, fetched.right.freshSeconds ?? freshSeconds.usual);
    return metadata;
  };
  return {
    tenantId,
    of: async (url) => {
      const cached = cache.get(url);
      if (cached !== undefined && now() < cached.until) return right(cached.metadata);
      const underWay = fetching.get(url);
      if (underWay !== undefined) return underWay;
      if (fetching.size >= maxFetches) return documentFault('cannot be fetched right now.');
      const loading = load(url).finally(() => fetching.delete(url));
      fetching.set(url, loading);
      return loading;
    },
  };
};
