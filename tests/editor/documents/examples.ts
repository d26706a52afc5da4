/** A document of Ada's, and commands on it. */
import type { DocumentCommand } from '../../../domain/editor/document/commands';
import type { DocumentEvent } from '../../../domain/editor/document/events';
import type { DocumentId, InvitationId, LinkId } from '../../../domain/editor/ids';
import type { LinkRole, Role } from '../../../domain/editor/roles';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';

export const documentId = 'd-1' as DocumentId;
export const noon = '2026-01-31T12:00:00.000Z' as Instant;
export const tomorrow = '2026-02-01T12:00:00.000Z' as Instant;
export const later = '2026-02-02T12:00:00.000Z' as Instant;
export const [ada, bob, cem, dee] = ['ada', 'bob', 'cem', 'dee'] as [
  PrincipalId,
  PrincipalId,
  PrincipalId,
  PrincipalId,
];
export const hash = (letter: string): string => letter.repeat(64);
export const invitationId = (number: number): InvitationId => `i-${number}` as InvitationId;
export const linkId = (number: number): LinkId => `l-${number}` as LinkId;

type CommandOf<Type extends DocumentCommand['type']> = Extract<DocumentCommand, { readonly type: Type }>;
type Rest<Type extends DocumentCommand['type']> = Omit<CommandOf<Type>, 'type' | 'documentId' | 'by'>;

/** `asked(ada, 'RenameDocument', { title })`. */
export const commandOf = <Type extends DocumentCommand['type']>(
  by: PrincipalId,
  type: Type,
  rest: Rest<Type>,
): DocumentCommand => ({ type, documentId, by, ...rest }) as unknown as DocumentCommand;

type EventOf<Type extends DocumentEvent['type']> = Extract<DocumentEvent, { readonly type: Type }>;

export const recorded = <Type extends DocumentEvent['type']>(
  type: Type,
  data: Omit<EventOf<Type>['data'], 'documentId'>,
): DocumentEvent => ({ type, data: { documentId, ...data } }) as unknown as DocumentEvent;

export const created = recorded('DocumentCreated', {
  title: 'Landing page',
  homeRegion: 'local',
  createdBy: ada,
  createdAt: noon,
  copiedFrom: null,
});
export const creation = commandOf(ada, 'CreateDocument', {
  title: 'Landing page',
  homeRegion: 'local',
  at: noon,
  copiedFrom: null,
});

export const memberAdded = (principalId: PrincipalId, role: Role): DocumentEvent =>
  recorded('InvitationAccepted', { invitationId: invitationId(0), principalId, role });

export const invited = (number: number, to: { principalId: PrincipalId } | { secretHash: string }, role: Role) =>
  recorded('MemberInvited', {
    invitationId: invitationId(number),
    title: 'Landing page',
    role,
    principalId: 'principalId' in to ? to.principalId : null,
    secretHash: 'secretHash' in to ? to.secretHash : null,
    invitedBy: ada,
    createdAt: noon,
    expiresAt: tomorrow,
  });

export const shared = (number: number, letter: string, role: LinkRole): DocumentEvent =>
  recorded('LinkShared', { linkId: linkId(number), role, secretHash: hash(letter) });

export const joinedByLink = (number: number, principalId: PrincipalId, role: LinkRole): DocumentEvent =>
  recorded('LinkOpened', { linkId: linkId(number), principalId, role });
