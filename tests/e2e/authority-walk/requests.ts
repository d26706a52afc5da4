/** Requests of an operation that name given resources: in the path, in the query and in the body. */
import { resolveReference, type ServedOperation } from '../../support/http/served-operations';

export type Ids = Readonly<Record<string, string>>;

export interface WalkRequest {
  readonly operation: string;
  /** What is special about it, for messages. */
  readonly variant: string;
  readonly method: string;
  readonly target: string;
  readonly mediaType: string | undefined;
  readonly body: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** In `…/credentials/…` of clients the parameter is the id of a secret, in `…/grants/…` of files that of a role in them. */
const idFor = ({ operation, path }: ServedOperation, name: string, ids: Ids): string | undefined => {
  if (operation === 'revokeClientSecret' && name === 'credentialId') return ids.secretId;
  return name === 'grantId' && path.startsWith('/v1/file') ? ids.fileGrantId : ids[name];
};

/** Query parameters that select the list's subject; others only page and sort. */
const namesInQuery = new Set([
  'clientId',
  'grantId',
  'principalId',
  'principalIds',
  'applicationIds',
  'sessionId',
  'service',
  'name',
]);

const listNames: Ids = { principalIds: 'principalId', applicationIds: 'applicationId' };

const targetOf = (served: ServedOperation, ids: Ids): string => {
  const missing: string[] = [];
  const path = served.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const id = idFor(served, name, ids);
    if (id === undefined) missing.push(name);
    return encodeURIComponent(id ?? '');
  });
  // A new kind of resource: the walk needs one, made in resources.ts.
  if (missing.length > 0) throw new Error(`${served.operation}: no resource for ${missing.join(', ')}`);
  const query = new URLSearchParams();
  for (const { name, in: place, required = false, example } of served.parameters) {
    if (place !== 'query') continue;
    const id = ids[listNames[name] ?? name];
    if (namesInQuery.has(name) && id !== undefined) query.set(name, id);
    else if (required) query.set(name, ids[name] ?? String(example));
  }
  return query.size === 0 ? path : `${path}?${query}`;
};

const renamed = (value: unknown, ids: Ids): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamed(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && ids[name] !== undefined ? ids[name] : renamed(member, ids),
    ]),
  );
};

const isTextSchema = (schema: Json): boolean => {
  const { type, anyOf } = resolveReference(schema) as { readonly type?: string; readonly anyOf?: readonly Json[] };
  return type === 'string' || (anyOf ?? []).some(isTextSchema);
};

/** Optional fields of the body that name a resource, each in a request of its own. */
const fieldVariants = (schema: object | undefined, example: Json, ids: Ids): readonly (readonly [string, Json])[] => {
  const { properties = {}, required = [] } = resolveReference(schema ?? {}) as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  const needed = Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name)));
  return Object.entries(properties)
    .filter(([name, field]) => !required.includes(name) && ids[name] !== undefined && isTextSchema(field))
    .map(([name]) => [name, { ...(renamed(needed, ids) as Json), [name]: ids[name] }]);
};

/** Bodies that only make sense as a whole. */
const moreBodies = (operation: string, ids: Ids): readonly (readonly [string, Json])[] => {
  const service = {
    grantTypes: ['client_credentials'],
    scopes: ['documents:read'],
    ...pick(ids, 'servicePrincipalId'),
  };
  const evil = {
    name: 'Orders',
    grantTypes: ['authorization_code'],
    scopes: ['openid'],
    redirectUris: ['https://evil.example/'],
    authentication: 'none',
  };
  switch (operation) {
    case 'registerClient':
      return [['acts as the pipeline', { name: 'Mine', ...service }]];
    case 'changeClient':
      return [
        ['acts as the pipeline', { name: 'Mine', ...service }],
        ['takes over', evil],
      ];
    case 'applyPlaceChanges':
      return [['removes', { changes: [{ ...pick(ids, 'entity_id', 'source'), version: 9, op: 'delete' }] }]];
    case 'issueToken':
      return [
        ['refreshes', { grant_type: 'refresh_token', ...pick(ids, 'refresh_token', 'client_id') }],
        ['as the client', { grant_type: 'client_credentials', ...pick(ids, 'client_id') }],
      ];
    default:
      return [];
  }
};

const pick = (ids: Ids, ...names: readonly string[]): Ids =>
  Object.fromEntries(names.map((name) => [name, ids[name] ?? '']));

const encode = (mediaType: string, body: Json): string =>
  mediaType.endsWith('json') ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>).toString();

/** Each principal in a path is a pipeline, then a person. */
export const requestsOf = (served: ServedOperation, ids: Ids): readonly WalkRequest[] => {
  if (!served.path.includes('{principalId}')) return requestsWith(served, ids);
  const { personId = '' } = ids;
  const ofPerson = requestsWith(served, { ...ids, principalId: personId });
  return [
    ...requestsWith(served, ids),
    ...ofPerson.map((request) => ({ ...request, variant: `${request.variant}of a person` })),
  ];
};

const requestsWith = (served: ServedOperation, ids: Ids): readonly WalkRequest[] => {
  const { operation, method, body } = served;
  const target = targetOf(served, ids);
  const request = { operation, variant: '', method, target, mediaType: body?.mediaType, body: undefined };
  if (body === undefined) return [request];
  if (!/json|form/.test(body.mediaType)) return [{ ...request, body: '0000' }];
  const example = (body.example ?? {}) as Json;
  const bodies = [
    ['', renamed(example, ids) as Json] as const,
    ...fieldVariants(body.schema, example, ids),
    ...moreBodies(operation, ids),
  ];
  return bodies.map(([variant, content]) => ({ ...request, variant, body: encode(body.mediaType, content) }));
};
