/** Ids of the editor. */

import type { TypeOf } from 'io-ts';
import { brandedText } from '../kernel/codec';
import type { TenantId } from '../kernel/ids';
import { idOf } from '../kernel/ids';

export const DocumentId = idOf('DocumentId');
export type DocumentId = TypeOf<typeof DocumentId>;

export const InvitationId = idOf('InvitationId');
export type InvitationId = TypeOf<typeof InvitationId>;

/** A link admits any principal of the tenant; the next link replaces it. */
export const LinkId = idOf('LinkId');
export type LinkId = TypeOf<typeof LinkId>;

/**
 * One instance of the client engine (a tab or a program), as long as its pending edits are stored. Issued by the
 * server to one principal for ever.
 */
export const ClientId = brandedText('EditorClientId', {
  minLength: 10,
  maxLength: 10,
  pattern: '[0-9A-Za-z]{10}',
  examples: ['k3Jx09aPqZ'],
});
export type ClientId = TypeOf<typeof ClientId>;

/** `<clientId>:<counter>`: clients allocate them without a request, and never twice. */
export const NodeId = brandedText('NodeId', {
  maxLength: 27,
  pattern: '[0-9A-Za-z]{10}:[1-9][0-9]{0,15}',
  examples: ['k3Jx09aPqZ:17'],
});
export type NodeId = TypeOf<typeof NodeId>;

export const OperationId = brandedText('OperationId', {
  examples: ['k3Jx09aPqZ-1'],
  maxLength: 64,
  pattern: '[A-Za-z0-9][A-Za-z0-9._:-]*',
});
export type OperationId = TypeOf<typeof OperationId>;

/** Fractional index. Compared byte by byte; the node id breaks ties. */
export const OrderKey = brandedText('OrderKey', { maxLength: 128, pattern: '[0-9A-Za-z]+', examples: ['a0'] });
export type OrderKey = TypeOf<typeof OrderKey>;

/** One document among all tenants'. */
export interface DocumentKey {
  readonly tenant: TenantId;
  readonly documentId: DocumentId;
}
