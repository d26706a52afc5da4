/** Stream names of the context. */
import { contextStreams } from '../kernel/context-streams';
import type { TenantId } from '../kernel/ids';
import type { ArtifactId, RepositoryId, RunId, RunnerId, TriggerEventId } from './ids';

export const streams = contextStreams('workflow', [
  'organization',
  'repository',
  'trigger',
  'run',
  'runner',
  'artifact',
]);

/** One per tenant: its plan, limits and policy. */
export const organizationStream = (tenant: TenantId): string => streams.of('organization')(tenant, tenant);

export const repositoryStream = streams.of<RepositoryId>('repository');

/** One event each. Appended to no stream, so that a repeated delivery is recorded once. */
export const triggerStream = streams.of<TriggerEventId>('trigger');

/** The run and its job graph, with every attempt. */
export const runStream = streams.of<RunId>('run');

export const runnerStream = streams.of<RunnerId>('runner');

export const artifactStream = streams.of<ArtifactId>('artifact');
