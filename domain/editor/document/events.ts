/** Events of a document: title, members, invitations, link, named versions, trash. */
import * as t from 'io-ts';
import { Instant, integer, nameText, nullable, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { DocumentId, InvitationId, LinkId } from '../ids';
import { LinkRole, Role } from '../roles';
import { Snapshot } from '../snapshot/snapshot';

export const Title = nameText('Title', { maxLength: 200, examples: ['Landing page'] });
export const HomeRegion = text('HomeRegion', { maxLength: 32, pattern: '[a-z0-9][a-z0-9-]*', examples: ['eu-west'] });
export const VersionName = nameText('VersionName', { maxLength: 120, examples: ['Before the review'] });
/** SHA-256 in hexadecimal; the secret itself is not stored. */
const SecretHash = text('SecretHash', { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' });

const document = { documentId: DocumentId };
const invitation = { ...document, invitationId: InvitationId };
const member = { ...document, principalId: PrincipalId };
const link = { ...document, linkId: LinkId };
const version = { ...document, version: integer(0) };
const principals = (name: string) => t.array(PrincipalId, name);

export const documents = aggregate(
  { context: 'editor', name: 'document', id: DocumentId },
  {
    /** `createdBy` is the first owner. */
    DocumentCreated: {
      v: 1,
      data: {
        ...document,
        title: Title,
        homeRegion: HomeRegion,
        createdBy: PrincipalId,
        createdAt: Instant,
        /** The source of the content, if it was copied; the log's first event has its snapshot. */
        copiedFrom: nullable(
          record('CopiedFrom', { documentId: DocumentId, version: integer(0) }, { snapshot: Snapshot }),
        ),
      },
    },
    DocumentRenamed: { v: 1, data: { ...document, title: Title } },
    DocumentTrashed: { v: 1, data: document },
    DocumentRestored: { v: 1, data: document },
    /** Final. Names everyone who had access, and the open invitations. */
    DocumentDeleted: {
      v: 1,
      data: { ...document, members: principals('FormerMembers'), invitations: t.array(InvitationId, 'InvitationIds') },
    },
    MemberInvited: {
      v: 1,
      data: {
        ...invitation,
        /** The document's title, for the invited principal. */
        title: Title,
        role: Role,
        /** Null: any principal of the tenant with the secret. */
        principalId: nullable(PrincipalId),
        secretHash: nullable(SecretHash),
        invitedBy: PrincipalId,
        createdAt: Instant,
        expiresAt: Instant,
      },
    },
    /** `role` is the resulting role. */
    InvitationAccepted: { v: 1, data: { ...invitation, principalId: PrincipalId, role: Role } },
    InvitationDeclined: { v: 1, data: { ...invitation, principalId: PrincipalId } },
    InvitationWithdrawn: { v: 1, data: invitation },
    /** By an owner. A visitor by the link becomes a member. Earlier invitations no longer change the role. */
    MemberRoleChanged: { v: 1, data: { ...member, role: Role } },
    /** By an owner. The current link and invitations do not admit the principal again. */
    MemberRemoved: { v: 1, data: member },
    MemberLeft: { v: 1, data: member },
    /** By a tenant administrator, if no owner was active. Existing owners stay. */
    OwnerAppointed: { v: 1, data: { ...member, appointedBy: PrincipalId } },
    LinkShared: { v: 1, data: { ...link, role: LinkRole, secretHash: SecretHash } },
    LinkRoleChanged: { v: 1, data: { ...link, role: LinkRole, visitors: principals('Visitors') } },
    /** All visitors lose access. */
    LinkClosed: { v: 1, data: { ...link, visitors: principals('Visitors') } },
    LinkOpened: { v: 1, data: { ...link, principalId: PrincipalId, role: LinkRole } },
    VersionNamed: { v: 1, data: { ...version, name: VersionName } },
    VersionRenamed: { v: 1, data: { ...version, name: VersionName } },
    VersionNameRemoved: { v: 1, data: version },
  },
);
export type DocumentEvent = typeof documents.Event;

/** The document's title, members and trash state, without its content. */
export const { stream: documentStream } = documents;
