/** Roles in files and folders, their order, and what they permit. A role in a folder counts for everything in it. */
import type { TypeOf } from 'io-ts';
import { oneOf } from '../kernel/codec';

export const FileRole = oneOf('FileRole', ['owner', 'editor', 'viewer']);
export type FileRole = TypeOf<typeof FileRole>;

/** Every file and folder has one owner, and no grant makes another. */
export const GrantedRole = oneOf('GrantedRole', ['editor', 'viewer']);
export type GrantedRole = TypeOf<typeof GrantedRole>;

const rank: { readonly [role in FileRole]: number } = { owner: 2, editor: 1, viewer: 0 };

export const higherRole = (one: FileRole | undefined, other: FileRole | undefined): FileRole | undefined => {
  if (one === undefined || other === undefined) return one ?? other;
  return rank[one] >= rank[other] ? one : other;
};

const requiredRoles = {
  /** Content, versions, search, and who else has access. */
  read: 'viewer',
  /** New versions, names, folders inside. */
  write: 'editor',
  /** Grants. */
  share: 'editor',
  /** To the trash and back, to another folder. */
  move: 'editor',
  /** For ever; and to another owner. */
  dispose: 'owner',
} as const satisfies { readonly [act: string]: FileRole };
export type FilePermission = keyof typeof requiredRoles;

export const isPermitted = (role: FileRole | undefined, act: FilePermission): boolean =>
  role !== undefined && rank[role] >= rank[requiredRoles[act]];

/** Start of a sentence for the caller. */
export const describeRequiredRole = (act: FilePermission): string =>
  requiredRoles[act] === 'owner' ? 'Only the owner' : 'Only the owner and editors';
