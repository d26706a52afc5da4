/** What a verified credential attests: attributes read from its claims, as its issuer documents them. */
import type { ClaimMapping, WorkloadAttribute, WorkloadIssuer, WorkloadIssuerKind } from './events';

export type Claims = { readonly [claim: string]: unknown };
export type Attributes = { readonly [attribute in WorkloadAttribute]?: string };

const maxValueLength = 512;

/** Undefined: a claim that no condition can be compared with. */
const textOf = (claim: unknown): string | undefined => {
  const value = Number.isSafeInteger(claim) ? String(claim) : claim;
  if (typeof value !== 'string' || value === '' || value.length > maxValueLength) return undefined;
  return value.isWellFormed() ? value : undefined;
};

/** RFC 6901. Own members alone, so that no name reaches a prototype. */
const claimAt = (claims: Claims, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined,
      claims,
    );

type Sources = { readonly [attribute in WorkloadAttribute]?: string };

/** By pointer. */
const sources: { readonly [kind in WorkloadIssuerKind]: Sources } = {
  github: {
    repository: '/repository',
    repositoryId: '/repository_id',
    owner: '/repository_owner',
    ownerId: '/repository_owner_id',
    event: '/event_name',
    workflow: '/workflow_ref',
    environment: '/environment',
    runner: '/runner_environment',
  },
  gitlab: {
    repository: '/project_path',
    repositoryId: '/project_id',
    owner: '/namespace_path',
    ownerId: '/namespace_id',
    event: '/pipeline_source',
    workflow: '/ci_config_ref_uri',
    environment: '/environment',
    deployment: '/deployment_tier',
    runner: '/runner_id',
  },
  kubernetes: {
    namespace: '/kubernetes.io/namespace',
    serviceAccount: '/kubernetes.io/serviceaccount/name',
    runner: '/kubernetes.io/node/name',
  },
  spiffe: {},
  oidc: {},
};

type Ref = { readonly branch?: string | undefined; readonly tag?: string | undefined };

/** Code of a pull request runs for a ref that others may name as they like, so it is of no branch. */
const refOf = (name: unknown, { type, event }: { readonly type: unknown; readonly event: unknown }): Ref => {
  const isProposal = typeof event !== 'string' || /^(pull_request|merge_request|external_pull_request)/.test(event);
  if (isProposal) return {};
  if (type === 'branch') return { branch: textOf(name) };
  return type === 'tag' ? { tag: textOf(name) } : {};
};

/** Without its prefix; undefined where it names something else. */
const withoutPrefix = (ref: unknown, prefix: string): string | undefined =>
  typeof ref === 'string' && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined;

const refsOf = (kind: WorkloadIssuerKind, { ref, ref_type: type, event_name, pipeline_source }: Claims): Ref => {
  if (kind === 'gitlab') return refOf(ref, { type, event: pipeline_source });
  if (kind !== 'github') return {};
  const prefix = type === 'tag' ? 'refs/tags/' : 'refs/heads/';
  return refOf(withoutPrefix(ref, prefix), { type, event: event_name });
};

const spiffeId = /^spiffe:\/\/([a-z0-9._-]{1,255})((?:\/[A-Za-z0-9._-]+)+)$/;

export interface SpiffeId {
  readonly trustDomain: string;
  /** With its leading slash. */
  readonly path: string;
}

/** Undefined: not the id of a workload (SPIFFE-ID section 2). */
export const parseSpiffeId = (id: unknown): SpiffeId | undefined => {
  if (typeof id !== 'string' || id.length > 2_048) return undefined;
  const [, trustDomain, path] = spiffeId.exec(id) ?? [];
  if (trustDomain === undefined || path === undefined) return undefined;
  return path.split('/').some((segment) => segment === '.' || segment === '..') ? undefined : { trustDomain, path };
};

/** Of SPIRE's registrar for Kubernetes: `/ns/<namespace>/sa/<service account>`. */
const kubernetesPath = /^\/ns\/([^/]+)\/sa\/([^/]+)$/;

const namedBySubject = (kind: WorkloadIssuerKind, { sub }: Claims): Attributes => {
  const id = kind === 'spiffe' ? parseSpiffeId(sub) : undefined;
  if (id === undefined) return {};
  const [, namespace, serviceAccount] = kubernetesPath.exec(id.path) ?? [];
  return namespace === undefined || serviceAccount === undefined ? {} : { namespace, serviceAccount };
};

/** A cluster's tokens do not name it: their issuer does. */
const clusterOf = ({ kind, issuer }: Pick<WorkloadIssuer, 'kind' | 'issuer'>): Attributes =>
  kind === 'kubernetes' || kind === 'spiffe' ? { cluster: issuer } : {};

const mapped = (claims: Claims, mappings: readonly ClaimMapping[]) =>
  mappings.map(({ attribute, claim }) => [attribute, textOf(claimAt(claims, claim))] as const);

export const attributesOf = (
  issuer: Pick<WorkloadIssuer, 'kind' | 'issuer' | 'claims'>,
  claims: Claims,
): Attributes => {
  const byKind = Object.entries(sources[issuer.kind]).map(
    ([attribute, pointer]) => [attribute, textOf(claimAt(claims, pointer))] as const,
  );
  const all = [
    ['subject', textOf(claims.sub)] as const,
    ...Object.entries(clusterOf(issuer)),
    ...Object.entries(namedBySubject(issuer.kind, claims)),
    ...byKind,
    ...Object.entries(refsOf(issuer.kind, claims)),
    ...mapped(claims, issuer.claims),
  ];
  const read = new Map(all);
  return Object.fromEntries([...read].filter(([, value]) => value !== undefined));
};
