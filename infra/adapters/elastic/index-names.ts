/** Names of a view's indexes: one per generation, and an alias for the active one. */
import { createHash } from 'node:crypto';
import type { IndexView, NamedView, View, ViewRow } from '../../ports/views/view-store';
import { type Fields, keyText } from '../views/merge-row-changes';

/** The view under the name that it has in Elasticsearch; the registry in Postgres knows it by its own. */
export const prefixedIndex = <Row extends ViewRow>(view: View<Row>, prefix = ''): IndexView<Row> => {
  if (view.store !== 'elastic') throw new Error(`${view.name} is not an index`);
  return prefix === '' ? view : { ...view, name: `${prefix}${view.name}` };
};

export const indexName = ({ name }: Pick<NamedView, 'name'>, generation: number | ''): string =>
  `${name}_v${generation}`;

/** Documents are written through it. Elasticsearch would create an index that is gone at the first write, but not one behind an alias. */
export const writeAlias = (index: string): string => `${index}_writes`;

/** Ids are bounded at 512 bytes and keys are not. */
export const documentId = (view: { readonly key: readonly string[] }, fields: Fields): string =>
  createHash('sha256').update(keyText(view, fields)).digest('base64url');
