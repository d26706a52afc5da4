/** Paths of the editor's pages. */
import { segment } from '../kernel/router';

export const documentsPath = '/console/documents';
export const documentPath = (documentId: string): string => `/console/documents/${segment(documentId)}`;
