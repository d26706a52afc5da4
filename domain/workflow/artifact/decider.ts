/** Rules of artifacts: created with size and checksum, committed once their bytes were seen, never changed. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ArtifactId, Checksum } from '../ids';
import { type ArtifactEvent, artifacts } from './events';
import { type ArtifactDefinition, type ArtifactState, evolve, noArtifact } from './state';

/** What was found in object storage. `checksum` null: not computed there, or not of the whole. */
export interface StoredBytes {
  readonly sizeBytes: number;
  readonly checksum: Checksum | null;
}

export type ArtifactCommand =
  | { readonly type: 'CreateArtifact'; readonly definition: ArtifactDefinition }
  | { readonly type: 'CommitArtifact'; readonly artifactId: ArtifactId; readonly stored: StoredBytes }
  | { readonly type: 'DeleteArtifact'; readonly artifactId: ArtifactId }
  /** `at`: now. One that is not committed by the time of this command was abandoned. */
  | { readonly type: 'ExpireArtifact'; readonly artifactId: ArtifactId; readonly at: Instant };

/** `artifact-exists`: the attempt of the run has one of this name with other bytes. `artifact-differs`: stored bytes are not those announced. */
export type ArtifactRejection =
  | 'artifact-unknown'
  | 'artifact-uncommitted'
  | 'artifact-exists'
  | 'artifact-differs'
  | 'artifact-deleted';

type Decision = Either<Rejection<ArtifactRejection>, readonly ArtifactEvent[]>;

const unknown = (): Decision => reject('artifact-unknown', 'There is no such artifact.');
const deleted = (): Decision => reject('artifact-deleted', 'The artifact was deleted.');

/** A job that is tried again may upload the same once more. */
const create = (definition: ArtifactDefinition, state: ArtifactState): Decision => {
  if (state.kind === 'none') return right([{ type: 'ArtifactCreated', data: definition }]);
  if (state.kind === 'deleted') return deleted();
  const { sizeBytes, checksum } = state.definition;
  if (sizeBytes === definition.sizeBytes && checksum === definition.checksum) return right([]);
  return reject('artifact-exists', 'The attempt of the run has an artifact of this name with other bytes.');
};

const commit = (artifactId: ArtifactId, { sizeBytes, checksum }: StoredBytes, state: ArtifactState): Decision => {
  if (state.kind === 'none') return unknown();
  if (state.kind === 'deleted') return deleted();
  if (state.kind === 'committed') return right([]);
  if (sizeBytes !== state.definition.sizeBytes)
    return reject('artifact-differs', `The stored bytes are ${sizeBytes}, not ${state.definition.sizeBytes}.`);
  if (checksum !== state.definition.checksum)
    return reject('artifact-differs', 'The stored bytes have another checksum.');
  return right([{ type: 'ArtifactCommitted', data: { artifactId } }]);
};

const decide = (command: ArtifactCommand, state: ArtifactState): Decision => {
  switch (command.type) {
    case 'CreateArtifact':
      return create(command.definition, state);
    case 'CommitArtifact':
      return commit(command.artifactId, command.stored, state);
    case 'DeleteArtifact': {
      if (state.kind === 'none') return unknown();
      if (state.kind === 'created')
        return reject('artifact-uncommitted', 'The upload of the artifact is not complete.');
      return right(
        state.kind === 'deleted' ? [] : [{ type: 'ArtifactDeleted', data: { artifactId: command.artifactId } }],
      );
    }
    case 'ExpireArtifact': {
      if (state.kind === 'none') return unknown();
      const { artifactId, at } = command;
      const isOver = state.kind === 'created' || (state.kind === 'committed' && state.definition.expiresAt <= at);
      return right(isOver ? [{ type: 'ArtifactDeleted', data: { artifactId } }] : []);
    }
  }
};

export const artifact: Decider<ArtifactCommand, ArtifactState, ArtifactEvent, ArtifactRejection> = {
  family: artifacts,
  initial: noArtifact,
  evolve,
  decide,
};
