/** Names of this context's streams. */
import { streamName, type TenantId } from '../kernel/ids';
import type { ArtifactId, RepositoryId, RunId, RunnerId, TriggerEventId } from './ids';

const context = 'workflow';

/** One per tenant: its plan, limits and policy. */
export const organizationStream = (tenant: TenantId): string =>
  streamName({ context, aggregate: 'organization', tenant, id: tenant });

export const repositoryStream = (tenant: TenantId, id: RepositoryId): string =>
  streamName({ context, aggregate: 'repository', tenant, id });

/** One event each. Appended to no stream, so that a repeated delivery is recorded once. */
export const triggerStream = (tenant: TenantId, id: TriggerEventId): string =>
  streamName({ context, aggregate: 'trigger', tenant, id });

/** The run and its job graph, with every attempt. */
export const runStream = (tenant: TenantId, id: RunId): string => streamName({ context, aggregate: 'run', tenant, id });

export const runnerStream = (tenant: TenantId, id: RunnerId): string =>
  streamName({ context, aggregate: 'runner', tenant, id });

export const artifactStream = (tenant: TenantId, id: ArtifactId): string =>
  streamName({ context, aggregate: 'artifact', tenant, id });
