/** What is said of a document: its title, who may do what with it, whether it is in the trash, and which versions have names. */
import * as t from 'io-ts';
import { Instant, integer, nullable, record, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { DocumentId, InvitationId, LinkId } from '../ids';
import { LinkRole, Role } from '../roles';
import { Snapshot } from '../snapshot/snapshot';

export const Title = text('Title', { maxLength: 200, examples: ['Landing page'] });
export const HomeRegion = text('HomeRegion', { maxLength: 32, pattern: '[a-z0-9][a-z0-9-]*', examples: ['eu-west'] });
export const VersionName = text('VersionName', { maxLength: 120, examples: ['Before the review'] });
/** SHA-256, hex: secrets themselves are shown once and kept nowhere. */
const SecretHash = text('SecretHash', { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' });

const document = { documentId: DocumentId };
const invitation = { ...document, invitationId: InvitationId };
const member = { ...document, principalId: PrincipalId };
const link = { ...document, linkId: LinkId };
const version = { ...document, version: integer(0) };
const principals = (name: string) => t.array(PrincipalId, name);

export const documents = family('editor', {
  /** `createdBy` is its first owner. */
  DocumentCreated: {
    v: 1,
    data: {
      ...document,
      title: Title,
      homeRegion: HomeRegion,
      createdBy: PrincipalId,
      createdAt: Instant,
      /** The document that its content came from, as it was then; what was copied is the first event of its log. */
      copiedFrom: nullable(
        record('CopiedFrom', { documentId: DocumentId, version: integer(0) }, { snapshot: Snapshot }),
      ),
    },
  },
  DocumentRenamed: { v: 1, data: { ...document, title: Title } },
  DocumentTrashed: { v: 1, data: document },
  DocumentRestored: { v: 1, data: document },
  /** For good: nobody has access any more. Those who had it are named, and the invitations that are over with it. */
  DocumentDeleted: {
    v: 1,
    data: { ...document, members: principals('FormerMembers'), invitations: t.array(InvitationId, 'InvitationIds') },
  },
  MemberInvited: {
    v: 1,
    data: {
      ...invitation,
      /** Of the document, for whom it is to. */
      title: Title,
      role: Role,
      /** Null: whoever of the tenant shows the secret first. */
      principalId: nullable(PrincipalId),
      secretHash: nullable(SecretHash),
      invitedBy: PrincipalId,
      createdAt: Instant,
      expiresAt: Instant,
    },
  },
  /** `role` is what they have now. */
  InvitationAccepted: { v: 1, data: { ...invitation, principalId: PrincipalId, role: Role } },
  InvitationDeclined: { v: 1, data: { ...invitation, principalId: PrincipalId } },
  InvitationWithdrawn: { v: 1, data: invitation },
  /** By an owner, also of a visitor by the link, who has the role by name from then on. Invitations made before do not change it. */
  MemberRoleChanged: { v: 1, data: { ...member, role: Role } },
  /** By an owner. The link and the invitations that there are now do not admit the principal again. */
  MemberRemoved: { v: 1, data: member },
  MemberLeft: { v: 1, data: member },
  /** By whoever administers the tenant, where no owner could do anything any more. They stay owners, too. */
  OwnerAppointed: { v: 1, data: { ...member, appointedBy: PrincipalId } },
  LinkShared: { v: 1, data: { ...link, role: LinkRole, secretHash: SecretHash } },
  LinkRoleChanged: { v: 1, data: { ...link, role: LinkRole, visitors: principals('Visitors') } },
  /** With it goes the access of all who came by it. */
  LinkClosed: { v: 1, data: { ...link, visitors: principals('Visitors') } },
  LinkOpened: { v: 1, data: { ...link, principalId: PrincipalId, role: LinkRole } },
  VersionNamed: { v: 1, data: { ...version, name: VersionName } },
  VersionRenamed: { v: 1, data: { ...version, name: VersionName } },
  VersionNameRemoved: { v: 1, data: version },
});
export type DocumentEvent = typeof documents.Event;
