/** Words that several answers about documents share, as they stand on the wire. */
import { DocumentId } from '../../domain/editor/ids';
import { record } from '../../domain/kernel/codec';

export const scopes = ['documents:read'];

export const DocumentParams = record('DocumentParams', { documentId: DocumentId });
