/** Names of a view's indexes: one per generation, and an alias for the active one. */
import { createHash } from 'node:crypto';
import type { NamedView, View } from '../ports/view-store';
import { type Fields, keyText } from '../views/collapse';

export const indexName = ({ name }: Pick<NamedView, 'name'>, generation: number | ''): string =>
  `${name}_v${generation}`;

/** Ids are bounded at 512 bytes and keys are not. */
export const documentId = (view: Pick<View, 'key'>, fields: Fields): string =>
  createHash('sha256').update(keyText(view, fields)).digest('base64url');
