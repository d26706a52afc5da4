/** Whether two registrations say the same, in whatever order. */
import { distinct } from '../scopes';
import type { ClientMetadata } from './events';
import type { Application } from './state';

export const plain = (metadata: ClientMetadata): ClientMetadata => ({
  ...metadata,
  grantTypes: [...new Set(metadata.grantTypes)].sort(),
  scopes: distinct(metadata.scopes),
  // The first of them is meant where none is named, so these keep theirs.
  audiences: [...new Set(metadata.audiences)],
});

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, held: unknown) =>
    typeof held === 'object' && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  );

export const says = (state: Application, metadata: ClientMetadata): boolean => {
  const { kind: _kind, applicationId: _id, enabled: _enabled, secrets: _secrets, ...said } = state;
  return canonical(said) === canonical(metadata);
};
