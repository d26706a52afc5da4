/** Paths of the editor's pages. */
import { ownTenant } from '../kernel/permissions';
import { segment, withQuery } from '../kernel/router';

export const documentsPath = '/console/documents';
export const documentPath = (documentId: string): string => `/console/documents/${segment(documentId)}`;

/** Of its title, its members and its names of versions. */
export const documentStream = (documentId: string): string => `editor.document-${ownTenant()}.${documentId}`;

/** `from`: the version that it is compared with. */
export const versionPath = (documentId: string, version: number, from: number): string =>
  withQuery(`${documentPath(documentId)}/versions/${version}`, { from: String(from) });
