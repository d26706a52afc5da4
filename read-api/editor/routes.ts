/** Queries of the editor. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { compareVersions } from './compare-versions';
import { getDocument } from './document';
import { listDocuments } from './documents';
import { listDocumentsOfPrincipal } from './documents-of-principal';
import { listInvitations, listOwnInvitations } from './invitations';
import { listMembers } from './members';
import { listNodeActivity } from './node-activity';
import { openVersion } from './open-version';
import { listOperations, type OperationsReading } from './operations';
import { listDocumentPeople } from './people';
import { getSnapshot, type SnapshotReading } from './snapshot';
import {
  getTenantDocument,
  listTenantDocumentMembers,
  listTenantDocuments,
  listTenantDocumentVersions,
} from './tenant-documents';
import type { VersionReading } from './version-reading';
import { listVersions } from './versions';

type EditorReading = OperationsReading & SnapshotReading & VersionReading;

export const editorRoutes = (reading: EditorReading): readonly BoundRoute[] => [
  bind(reading, listDocuments),
  bind(reading, getDocument),
  bind(reading, listMembers),
  bind(reading, listDocumentsOfPrincipal),
  bind(reading, listTenantDocuments),
  bind(reading, getTenantDocument),
  bind(reading, listTenantDocumentMembers),
  bind(reading, listTenantDocumentVersions),
  bind(reading, listInvitations),
  bind(reading, listOwnInvitations),
  bind(reading, listDocumentPeople),
  bind(reading, listVersions),
  bind(reading, openVersion),
  bind(reading, compareVersions),
  bind(reading, listNodeActivity),
  bind(reading, getSnapshot),
  bind(reading, listOperations),
];
