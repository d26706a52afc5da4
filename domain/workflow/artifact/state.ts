/** An artifact as its decider and its readers see it. */
import type { ArtifactEvent } from './events';

export type ArtifactDefinition = Extract<ArtifactEvent, { type: 'ArtifactCreated' }>['data'];

export type ArtifactState =
  | { readonly kind: 'none' }
  | { readonly kind: 'created' | 'committed' | 'deleted'; readonly definition: ArtifactDefinition };

export type KnownArtifact = Exclude<ArtifactState, { kind: 'none' }>;

export const noArtifact: ArtifactState = { kind: 'none' };

export const evolve = (state: ArtifactState, event: ArtifactEvent): ArtifactState => {
  switch (event.type) {
    case 'ArtifactCreated':
      return { kind: 'created', definition: event.data };
    case 'ArtifactCommitted':
      return state.kind === 'created' ? { ...state, kind: 'committed' } : state;
    case 'ArtifactDeleted':
      return state.kind === 'none' ? state : { ...state, kind: 'deleted' };
  }
};
