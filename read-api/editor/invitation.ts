/** An invitation as it stands on the wire. */
import { record } from '../../domain/kernel/codec';
import { DocumentInvitationRow } from '../../projections/editor/invitations/view';
import { answerFields, showAs } from '../kernel/answer';

export const DocumentInvitation = record('DocumentInvitation', answerFields(DocumentInvitationRow));

export const shownInvitation = showAs(DocumentInvitation);
