/** What somebody may do with a document. */
import type { TypeOf } from 'io-ts';
import { oneOf } from '../kernel/codec';

export const Role = oneOf('DocumentRole', ['owner', 'editor', 'commenter', 'viewer']);
export type Role = TypeOf<typeof Role>;

const rank: { readonly [role in Role]: number } = { owner: 3, editor: 2, commenter: 1, viewer: 0 };

export const hasAtLeastRole = (role: Role, needed: Role): boolean => rank[role] >= rank[needed];

/** Links never make owners. */
export const LinkRole = oneOf('LinkRole', ['editor', 'commenter', 'viewer']);
export type LinkRole = TypeOf<typeof LinkRole>;

/** Which role an act needs. The only place that says so; docs/editor.md shows it as a table. */

const requiredRoles = {
  /** Title, content, members, versions, and copies of it. */
  see: 'viewer',
  comment: 'commenter',
  /** Content, earlier versions put back. */
  edit: 'editor',
  rename: 'editor',
  nameVersions: 'editor',
  /** Members, invitations, the link. */
  share: 'owner',
  /** Into the trash, out of it, for good. */
  dispose: 'owner',
} as const satisfies { readonly [act: string]: Role };
export type Permission = keyof typeof requiredRoles;

export const isPermitted = (role: Role, act: Permission): boolean => hasAtLeastRole(role, requiredRoles[act]);

/** As sentences for callers begin. */
export const describeRequiredRole = (act: Permission): string =>
  requiredRoles[act] === 'owner' ? 'Only owners' : 'Only owners and editors';
