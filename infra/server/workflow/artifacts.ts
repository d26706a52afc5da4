/** An artifact as both sides read it: from its own stream at that moment. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { artifactStream, artifacts } from '../../../domain/workflow/artifact/events';
import { type ArtifactState, evolve, type KnownArtifact, noArtifact } from '../../../domain/workflow/artifact/state';
import type { ArtifactId } from '../../../domain/workflow/ids';
import type { EventStore, EventStoreFault } from '../../ports/event-store';
import { loadAggregate } from '../aggregates/load-aggregate';
import { type Problem, problemOf } from '../http/problem';
import { artifactProblems } from './problems';

/** Of a signed address. */
export const downloadSeconds = 300;

const rules = { family: artifacts, initial: noArtifact, evolve };

export const readArtifact = async (
  store: Pick<EventStore, 'read'>,
  tenantId: TenantId,
  artifactId: ArtifactId,
): Promise<Either<EventStoreFault, ArtifactState>> => {
  const loaded = await loadAggregate({ store, cache: undefined }, rules, artifactStream(tenantId, artifactId));
  return isLeft(loaded) ? loaded : right(loaded.right.state);
};

export const isAvailable = ({ kind, definition }: KnownArtifact, now: string): boolean =>
  kind === 'committed' && definition.expiresAt > now;

export const artifactProblem = (code: keyof typeof artifactProblems, detail: string): Problem =>
  problemOf({ kind: 'rejection', code, detail }, artifactProblems);
