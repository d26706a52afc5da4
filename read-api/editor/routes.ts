/** What the query side serves of documents. */
import { type BoundRoute, bind } from '../../infra/http/route';
import { listNodeActivity } from './activity';
import { getDocument } from './document';
import { listHeldRoles } from './held';
import { listInvitations, listOwnInvitations } from './invitations';
import { listDocuments } from './list';
import { listMembers } from './members';
import { listOperations, type OperationsReading } from './operations';
import { getSnapshot, type SnapshotReading } from './snapshot';
import { listVersions } from './versions';

export const editorRoutes = (reading: OperationsReading & SnapshotReading): readonly BoundRoute[] => [
  bind(reading, listDocuments),
  bind(reading, getDocument),
  bind(reading, listMembers),
  bind(reading, listHeldRoles),
  bind(reading, listInvitations),
  bind(reading, listOwnInvitations),
  bind(reading, listVersions),
  bind(reading, listNodeActivity),
  bind(reading, getSnapshot),
  bind(reading, listOperations),
];
