/** Which role an act needs. The only place that says so; docs/editor.md shows it as a table. */
import { mayAs, type Role } from '../roles';

const needed = {
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
export type Act = keyof typeof needed;

export const mayDo = (role: Role, act: Act): boolean => mayAs(role, needed[act]);

/** As sentences for callers begin. */
export const rolesFor = (act: Act): string => (needed[act] === 'owner' ? 'Only owners' : 'Only owners and editors');
