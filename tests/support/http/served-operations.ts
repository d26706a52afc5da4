/** The operations of the served document, with the scopes that reach them: tests that walk over all routes begin here. */
import { servedRoutes } from '../../../tools/generate-client/served-document';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: unknown;
}

interface MediaType {
  readonly schema?: object;
  readonly example?: unknown;
}

interface Documented {
  readonly operationId: string;
  readonly security?: readonly { readonly bearer?: readonly string[] }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly [mediaType: string]: MediaType } };
  readonly 'x-danger'?: boolean;
  readonly responses: { readonly [status: string]: { readonly content?: { readonly [mediaType: string]: unknown } } };
}

export interface ServedOperation {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Each reaches it by itself, unless `needsAll`. None: a caller needs a token, or not even that. */
  readonly scopes: readonly string[];
  readonly needsToken: boolean;
  readonly isDanger: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: ({ readonly mediaType: string } & MediaType) | undefined;
  readonly isStream: boolean;
}

/** Operations that any token may call: the handler requires one of these scopes, or none. */
const checkedByHandler: { readonly [operation: string]: readonly string[] } = {
  endSession: ['sessions:write', 'account:write'],
  endSessions: ['sessions:write', 'account:write'],
  getApproval: ['approvals:decide'],
  getDelegation: ['grants:read', 'account:read', 'delegations:create'],
  getGrant: ['grants:read', 'account:read'],
  getRefreshFamily: ['grants:read', 'account:read'],
  issueCapability: [],
  issueStreamTicket: [],
  listApprovals: ['approvals:decide'],
  listDelegations: ['grants:read', 'account:read', 'delegations:create'],
  listScopes: [],
  listPrincipalGrants: ['grants:read', 'account:read'],
  listPrincipalSessions: ['sessions:read', 'account:read'],
  requestApproval: [],
  revokeDelegation: ['grants:write', 'account:write', 'delegations:create'],
  revokeGrant: ['grants:write', 'account:write'],
  revokeRefreshFamily: ['grants:write', 'account:write'],
  withdrawApproval: [],
};

const scopesOf = ({ operationId, security = [] }: Documented): readonly string[] => {
  const scopes = security.flatMap(({ bearer = [] }) => bearer);
  return security.length === 0 || scopes.length > 0 ? scopes : (checkedByHandler[operationId] ?? ['not decided']);
};

const bodyOf = ({ requestBody }: Documented): ServedOperation['body'] => {
  const [found] = Object.entries(requestBody?.content ?? {});
  return found === undefined ? undefined : { mediaType: found[0], ...found[1] };
};

const document = servedRoutes();

/** Parts of the document that a schema refers to, by `#/components/…`. */
export const resolveReference = (schema: object): Readonly<Record<string, unknown>> => {
  const { $ref: reference } = schema as { readonly $ref?: string };
  if (reference === undefined) return schema as Readonly<Record<string, unknown>>;
  const steps = reference.slice('#/'.length).split('/');
  const found = steps.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
  return resolveReference(found as object);
};

export const servedOperations: readonly ServedOperation[] = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods as { readonly [method: string]: Documented }).map(([method, documented]) => ({
      operation: documented.operationId,
      method: method.toUpperCase(),
      path,
      scopes: scopesOf(documented),
      needsToken: (documented.security ?? []).length > 0,
      isDanger: documented['x-danger'] === true,
      parameters: documented.parameters ?? [],
      body: bodyOf(documented),
      isStream: Object.values(documented.responses).some(({ content }) => content?.['text/event-stream'] !== undefined),
    })),
  )
  .sort((one, other) => `${one.path} ${one.method}`.localeCompare(`${other.path} ${other.method}`, 'en'));
