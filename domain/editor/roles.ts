/** Roles in a document, their order, and the permissions they have. */
import type { TypeOf } from 'io-ts';
import { oneOf } from '../kernel/codec';

export const Role = oneOf('DocumentRole', ['owner', 'editor', 'commenter', 'viewer']);
export type Role = TypeOf<typeof Role>;

const rank: { readonly [role in Role]: number } = { owner: 3, editor: 2, commenter: 1, viewer: 0 };

export const hasAtLeastRole = (role: Role, needed: Role): boolean => rank[role] >= rank[needed];

/** A link cannot make owners. */
export const LinkRole = oneOf('LinkRole', ['editor', 'commenter', 'viewer']);
export type LinkRole = TypeOf<typeof LinkRole>;

/** The role that each permission requires; docs/editor.md shows the table. */

const requiredRoles = {
  /** Title, content, members, versions, and copies. */
  see: 'viewer',
  comment: 'commenter',
  /** Content and restores. */
  edit: 'editor',
  rename: 'editor',
  nameVersions: 'editor',
  /** Members, invitations, the link. */
  share: 'owner',
  /** Trash, restore, delete. */
  dispose: 'owner',
} as const satisfies { readonly [act: string]: Role };
export type Permission = keyof typeof requiredRoles;

export const isPermitted = (role: Role, act: Permission): boolean => hasAtLeastRole(role, requiredRoles[act]);

/** Start of a sentence for the caller. */
export const describeRequiredRole = (act: Permission): string =>
  requiredRoles[act] === 'owner' ? 'Only owners' : 'Only owners and editors';
