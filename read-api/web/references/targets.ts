/** Where ids lead, and which fields of events and answers hold which kind of id. */
import { documentPath } from '../editor/paths';
import { filePath } from '../files/paths';
import { importPath, placesPath } from '../geo/paths';
import { clientPath, grantPath, pageOfClient, principalPath, sessionPath } from '../identity/paths';
import { withQuery } from '../kernel/router';
import { findPath, streamPath, viewsPath } from '../platform/paths';
import { videoPath } from '../video/paths';
import { jobPath, runPath, runsPath } from '../workflow/paths';
import { aggregateIds } from './aggregate-ids';

export type Kind =
  | 'principal'
  | 'client'
  | 'application'
  | 'session'
  | 'grant'
  | 'document'
  | 'place'
  | 'import'
  | 'repository'
  | 'run'
  | 'file'
  | 'video'
  | 'view'
  | 'stream'
  | 'event';

/** `<context>.<aggregate>` */
export type Category = keyof typeof aggregateIds;

const paths: { readonly [kind in Kind]: (id: string) => string } = {
  principal: principalPath,
  /** `tenant~application` or `tenant.principal`. */
  client: pageOfClient,
  application: clientPath,
  session: sessionPath,
  grant: grantPath,
  document: documentPath,
  place: (id) => withQuery(placesPath, { place: id }),
  import: importPath,
  repository: runsPath,
  run: runPath,
  file: filePath,
  video: videoPath,
  /** One page has lag and last rebuild of all. */
  view: () => viewsPath,
  stream: streamPath,
  event: findPath,
};

export const pathOf = (kind: Kind, id: string): string => paths[kind](id);

/** Fields that hold the ids of aggregates. One without a decision does not compile. */
const kindsOfIds: { readonly [Field in NonNullable<(typeof aggregateIds)[Category]>]: Kind | 'none' } = {
  principalId: 'principal',
  applicationId: 'application',
  sessionId: 'session',
  grantId: 'grant',
  documentId: 'document',
  entityId: 'place',
  importId: 'import',
  repositoryId: 'repository',
  runId: 'run',
  codeId: 'none',
  pushedRequestId: 'none',
  deviceRequestId: 'none',
  incidentId: 'none',
  alertSubjectId: 'none',
  delegationId: 'none',
  approvalId: 'none',
  familyId: 'none',
  definitionId: 'none',
  triggerEventId: 'none',
  runnerId: 'none',
  artifactId: 'none',
  fileId: 'file',
  videoId: 'video',
  ingestionId: 'none',
  videoEncodingId: 'none',
  webhookDeliveryId: 'none',
  audienceClaimId: 'none',
};

/** Of events and their metadata; `by` and `actor` may also name a process. */
const kinds: Readonly<Record<string, Kind | 'none'>> = {
  ...kindsOfIds,
  actor: 'principal',
  by: 'principal',
  ownerId: 'principal',
  memberId: 'principal',
  delegatorId: 'principal',
  agentId: 'principal',
  onBehalfOf: 'principal',
  approvedBy: 'principal',
  createdBy: 'principal',
  actorId: 'principal',
  clientId: 'client',
  repoId: 'repository',
  view: 'view',
  stream: 'stream',
  eventId: 'event',
};

const kindOf = (field: string): Kind | undefined => {
  const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
  return kind === 'none' ? undefined : kind;
};

/** A principal's id has no colon: `system:forgetting` and `process:…` are none. */
const isPrincipalId = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id);
const isClientId = (id: string): boolean => /^[a-z0-9][a-z0-9-]*[.~]./.test(id);

export const isActorPrincipal = isPrincipalId;

/** Undefined: the field holds no id that leads anywhere. */
const targetOf = (field: string, value: string): string | undefined => {
  const kind = kindOf(field);
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
  'place',
  'import',
  'repository',
  'run',
]);

/** Links of the fields of an event of this stream. What events of another tenant name has no page for this reader, except events and streams. */
export const linksOf =
  (eventStream: string, isOwnTenant: boolean) =>
  (field: string, value: string): string | undefined => {
    const subject = isOwnTenant ? aggregateOf(eventStream) : undefined;
    // A job is one of a run.
    if (field === 'jobId' && subject?.kind === 'run') return jobPath({ runId: subject.id, jobId: value });
    const kind = kindOf(field);
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

/** Undefined for streams of no aggregate, as those of processes. */
export const partsOfStream = (stream: string): { readonly category: Category; readonly id: string } | undefined => {
  const [, category = '', id = ''] = /^([^-]+)-[^.]+\.(.+)$/.exec(stream) ?? [];
  return Object.hasOwn(aggregateIds, category) ? { category: category as Category, id } : undefined;
};

/** What a stream is about, where that has a page. */
export const aggregateOf = (stream: string): { readonly kind: Kind; readonly id: string } | undefined => {
  const parts = partsOfStream(stream);
  const field = parts === undefined ? null : aggregateIds[parts.category];
  const kind = field === null ? undefined : kindOf(field);
  return parts === undefined || kind === undefined ? undefined : { kind, id: parts.id };
};
