/** Paths of the editor's pages. */
import { segment, withQuery } from '../kernel/router';

export const documentsPath = '/console/documents';
export const documentPath = (documentId: string): string => `/console/documents/${segment(documentId)}`;

/** `from`: the version that it is compared with. */
export const versionPath = (documentId: string, version: number, from: number): string =>
  withQuery(`${documentPath(documentId)}/versions/${version}`, { from: String(from) });
