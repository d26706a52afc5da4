/** Names of a view's keys. The braces keep all of them in one slot of a cluster, where one script may touch them. */
import type { NamedView } from '../../../ports/views/view-store';

type Named = Pick<NamedView, 'name'>;

/**
 * Hash: `active`, `serving` (the active one once it has caught up with the log; before, readers get no answer), `newest`, `held` (ms
 * since 1970), `builder` (a connection's name), `log` (id of the log that positions are of) and per generation `<n>:version`, `<n>:position`, `<n>:rows` (how many), `<n>:recipe`,
 * `<n>:touched` (ms since 1970);
 * `<n>:retired` (ms since 1970) for one that only waits for its rows to be removed.
 */
export const stateKey = ({ name }: Named): string => `septet:{${name}}:state`;

/** What the keys of a generation begin with, and no others. */
export const generationPrefix = ({ name }: Named, generation: number | string): string =>
  `septet:{${name}}:${generation}:`;

/** Sorted set of the row keys of a generation, all of one score: it can be walked in pages. */
export const indexKey = (view: Named, generation: number | string): string =>
  `${generationPrefix(view, generation)}rows`;

/** Set of the keys of a personal view's rows that depend on a key of a subject: what comes before the tenant, as JSON, and the key's id. */
export const subjectPrefix = (view: Named, generation: number | string): string =>
  `${generationPrefix(view, generation)}subject:`;

export const subjectKey = (prefix: string, tenantId: string, keyId: string): string =>
  `${prefix}${JSON.stringify(tenantId)}:${keyId}`;

/** Of a personal view's row: what fields become when keys are erased, as JSON in which the values are JSON texts. */
export const whenErasedField = 'whenErased';

/** Hash: field -> JSON text. */
export const rowKey = (view: Named, generation: number | string, key: string): string =>
  `${generationPrefix(view, generation)}row:${key}`;

export const feedKey = (name: string): string => `septet:{${name}}:feed`;
