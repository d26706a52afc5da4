/** What somebody may do with a document. */
import type { TypeOf } from 'io-ts';
import { oneOf } from '../kernel/codec';

export const Role = oneOf('DocumentRole', ['owner', 'editor', 'commenter', 'viewer']);
export type Role = TypeOf<typeof Role>;

const rank: { readonly [role in Role]: number } = { owner: 3, editor: 2, commenter: 1, viewer: 0 };

export const mayAs = (role: Role, needed: Role): boolean => rank[role] >= rank[needed];

/** Links never make owners. */
export const LinkRole = oneOf('LinkRole', ['editor', 'commenter', 'viewer']);
export type LinkRole = TypeOf<typeof LinkRole>;
