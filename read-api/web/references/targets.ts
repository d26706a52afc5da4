/** Where ids lead, and which fields of events and answers hold which kind of id. */
import { clientPath, grantPath, pageOfClient, principalPath, sessionPath } from '../identity/paths';
import { segment } from '../kernel/router';
import { findPath, streamPath, viewsPath } from '../platform/paths';

export type Kind =
  | 'principal'
  | 'client'
  | 'application'
  | 'session'
  | 'grant'
  | 'document'
  | 'view'
  | 'stream'
  | 'event';

const paths: { readonly [kind in Kind]: (id: string) => string } = {
  principal: principalPath,
  /** `tenant~application` or `tenant.principal`. */
  client: pageOfClient,
  application: clientPath,
  session: sessionPath,
  grant: grantPath,
  document: (id) => `/console/documents/${segment(id)}`,
  /** One page has lag and last rebuild of all. */
  view: () => viewsPath,
  stream: streamPath,
  event: findPath,
};

export const pathOf = (kind: Kind, id: string): string => paths[kind](id);

/** Of events and their metadata; `by` and `actor` may also name a process. */
const kinds: Readonly<Record<string, Kind>> = {
  principalId: 'principal',
  actor: 'principal',
  by: 'principal',
  ownerId: 'principal',
  memberId: 'principal',
  onBehalfOf: 'principal',
  approvedBy: 'principal',
  createdBy: 'principal',
  clientId: 'client',
  applicationId: 'application',
  sessionId: 'session',
  grantId: 'grant',
  documentId: 'document',
  view: 'view',
  stream: 'stream',
  eventId: 'event',
};

/** A principal's id has no colon: `system:forgetting` and `process:…` are none. */
const isPrincipalId = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id);
const isClientId = (id: string): boolean => /^[a-z0-9][a-z0-9-]*[.~]./.test(id);

export const isActorPrincipal = isPrincipalId;

/** Undefined: the field holds no id that leads anywhere. */
const targetOf = (field: string, value: string): string | undefined => {
  const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
  if (kind === undefined || value === '') return undefined;
  if (kind === 'principal' && !isPrincipalId(value)) return undefined;
  // Events name applications by `clientId`, too.
  if (kind === 'client' && !isClientId(value)) return undefined;
  return pathOf(kind, value);
};

const kindsOfTenants: ReadonlySet<Kind> = new Set([
  'principal',
  'client',
  'application',
  'session',
  'grant',
  'document',
]);

/** What events of another tenant name has no page for this reader, except events and streams. */
export const linksOf =
  (isOwnTenant: boolean) =>
  (field: string, value: string): string | undefined => {
    const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
    return kind !== undefined && kindsOfTenants.has(kind) && !isOwnTenant ? undefined : targetOf(field, value);
  };

/** `<context>.<aggregate>-<tenant>.<id>` */
export const tenantOfStream = (stream: string): string | undefined => /^[^-]+-([^.]+)\./.exec(stream)?.[1];

/** The streams of what has a page of its own. */
export const streamOf = (
  context: string,
  aggregate: string,
  { tenantId, id }: { tenantId: string; id: string },
): string => `${context}.${aggregate}-${tenantId}.${id}`;

const aggregates: Readonly<Record<string, Kind>> = {
  'identity.principal': 'principal',
  'identity.authenticators': 'principal',
  'identity.client': 'application',
  'identity.grant': 'grant',
  'identity.session': 'session',
  'editor.document': 'document',
};

/** What a stream is about, where that has a page. */
export const aggregateOf = (stream: string): { readonly kind: Kind; readonly id: string } | undefined => {
  const [, name = '', id = ''] = /^([^-]+)-[^.]+\.(.+)$/.exec(stream) ?? [];
  const kind = Object.hasOwn(aggregates, name) ? aggregates[name] : undefined;
  return kind === undefined ? undefined : { kind, id };
};
