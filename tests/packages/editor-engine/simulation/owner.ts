/** A document's owner in memory: the real rules, an order of versions, clients' places in their sequences, and lines that break. */
import type { ClientId, DocumentId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { type ClientTable, emptyClientTable } from '../../../../domain/editor/operation-log/client-table';
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { Role } from '../../../../domain/editor/roles';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';

export interface ClientSession {
  readonly userId: string;
  readonly connectionId: string;
  readonly send: (message: ServerMessage) => void;
  clientId: ClientId | undefined;
  expected: number;
}

export interface Owner {
  readonly documentId: DocumentId;
  scene: Scene;
  version: number;
  log: { readonly version: number; readonly operation: Operation }[];
  clients: ClientTable;
  readonly principals: Map<ClientId, string>;
  readonly sessions: Set<ClientSession>;
  readonly roles: Map<string, Role>;
  /** Clients with an older version receive a snapshot. */
  oldestTail: number;
  /** From the join; undefined: the client is not informed. */
  tokenLasts: number | undefined;
  now: () => number;
  /** Which operations were the last ones is not known any more. */
  forgets: boolean;
  /** Of every join and batch; undefined: it is taken. */
  refuse: (message: ClientMessage, session: ClientSession) => ServerMessage | undefined;
  issued: number;
}

export const openOwner = (): Owner => ({
  documentId: 'd-1' as DocumentId,
  scene: emptyScene(),
  version: 0,
  log: [],
  clients: emptyClientTable(),
  principals: new Map(),
  sessions: new Set(),
  roles: new Map(),
  oldestTail: 0,
  forgets: false,
  tokenLasts: undefined,
  now: () => 0,
  refuse: () => undefined,
  issued: 0,
});

export const roleOf = ({ roles }: Owner, { userId }: ClientSession): Role => roles.get(userId) ?? 'editor';

export const framesAfter = (owner: Owner, after: number): readonly ServerMessage[] => {
  const operations = owner.log.filter(({ version }) => version > after).map(({ operation }) => operation);
  return operations.length === 0
    ? []
    : [{ type: 'operations', fromVersion: after + 1, toVersion: owner.version, operations }];
};

/** Takes effect at once for clients that are connected. */
export const setRole = (owner: Owner, userId: string, role: Role): void => {
  owner.roles.set(userId, role);
  for (const session of owner.sessions)
    if (session.userId === userId) session.send({ type: 'permissionChanged', role });
};
