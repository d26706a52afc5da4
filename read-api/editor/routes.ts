/** Queries of the editor. */
import { type BoundRoute, bind } from '../../infra/http/routing/route';
import { getDocument } from './document';
import { listDocuments } from './documents';
import { listDocumentsOfPrincipal } from './documents-of-principal';
import { listInvitations, listOwnInvitations } from './invitations';
import { listMembers } from './members';
import { listNodeActivity } from './node-activity';
import { listOperations, type OperationsReading } from './operations';
import { getSnapshot, type SnapshotReading } from './snapshot';
import { getTenantDocument, listTenantDocumentMembers, listTenantDocuments } from './tenant-documents';
import { listVersions } from './versions';

export const editorRoutes = (reading: OperationsReading & SnapshotReading): readonly BoundRoute[] => [
  bind(reading, listDocuments),
  bind(reading, getDocument),
  bind(reading, listMembers),
  bind(reading, listDocumentsOfPrincipal),
  bind(reading, listTenantDocuments),
  bind(reading, getTenantDocument),
  bind(reading, listTenantDocumentMembers),
  bind(reading, listInvitations),
  bind(reading, listOwnInvitations),
  bind(reading, listVersions),
  bind(reading, listNodeActivity),
  bind(reading, getSnapshot),
  bind(reading, listOperations),
];
