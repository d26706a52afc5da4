/**
 * A client of documents written from `docs/editor.md` and nothing else: it imports nothing of the project. It shows what is committed, and
 * sends its own operations until each has a result.
 */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import * as Y from 'yjs';

interface Properties {
  readonly [name: string]: unknown;
}

interface SentNode {
  readonly id: string;
  readonly type: string;
  readonly parentId: string | null;
  readonly orderKey: string;
  readonly properties: Properties;
  readonly text?: string;
}

interface Written {
  readonly set?: Properties;
  readonly unset?: readonly string[];
}

/** Of all types of operations. */
interface Payload extends Written {
  readonly nodes?: readonly SentNode[] | { readonly [id: string]: Written };
  readonly moves?: readonly (Pick<SentNode, 'id' | 'parentId' | 'orderKey'> & { readonly transform?: unknown })[];
  readonly reordered?: { readonly [id: string]: string };
  readonly deleted?: readonly string[];
  readonly onlyNamed?: true;
  readonly transforms?: { readonly [id: string]: unknown };
  readonly update?: string;
  readonly version?: number;
}

interface Operation {
  readonly opId: string;
  readonly clientSeq: number;
  readonly type: string;
  readonly targetIds: readonly string[];
  readonly payload: Payload;
}

export interface Result {
  readonly opId: string;
  readonly status: string;
  readonly reason?: string;
}

interface SnapshotPiece {
  readonly key: string;
  readonly url?: string;
  readonly base64?: string;
}

interface Snapshot {
  readonly version: number;
  readonly compressedSceneKey: string;
  readonly checksum: string;
}

interface PieceName {
  readonly key: string;
  readonly checksum: string;
}

interface Manifest {
  readonly base: readonly { readonly piece: PieceName }[];
  readonly deltas: readonly PieceName[];
}

interface Piece {
  readonly nodes: readonly (SentNode & { readonly revision: number })[];
  readonly removed: readonly string[];
}

type Message =
  | { readonly type: 'joined'; readonly clientId: string }
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot; readonly pieces: readonly SnapshotPiece[] }
  | { readonly type: 'operations'; readonly fromVersion: number; readonly operations: readonly Operation[] }
  | { readonly type: 'ack'; readonly results: readonly Result[] }
  | { readonly type: 'rateLimited'; readonly retryAfterMs: number }
  | { readonly type: 'error'; readonly code: string; readonly expectedClientSeq?: number };

export interface Node {
  readonly id: string;
  readonly type: string;
  readonly parentId: string | null;
  readonly orderKey: string;
  readonly properties: Properties;
  readonly revision: number;
  /** As it reads. */
  readonly text: string;
}

interface NodeState extends Omit<Node, 'text'> {
  readonly document: Y.Doc;
}

const documentOf = (text: string | undefined): Y.Doc => {
  const document = new Y.Doc();
  if (text !== undefined && text !== '') Y.applyUpdate(document, Buffer.from(text, 'base64'));
  return document;
};

const toNodeState = ({ id, type, parentId, orderKey, properties, text }: SentNode, revision: number): NodeState => ({
  id,
  type,
  parentId,
  orderKey,
  properties,
  revision,
  document: documentOf(text),
});

type Nodes = Map<string, NodeState>;

const bytesOf = async ({ url = '', base64 }: SnapshotPiece): Promise<Buffer> =>
  base64 === undefined ? Buffer.from(await (await fetch(url)).arrayBuffer()) : Buffer.from(base64, 'base64');

const readPiece = async (pieces: readonly SnapshotPiece[], { key, checksum }: PieceName): Promise<unknown> => {
  const bytes = await bytesOf(pieces.find((piece) => piece.key === key) ?? { key });
  if (createHash('sha256').update(bytes).digest('hex') !== checksum) throw new Error(`${key} is damaged`);
  return JSON.parse(gunzipSync(bytes).toString('utf8'));
};

const readSnapshot = async (snapshot: Snapshot, pieces: readonly SnapshotPiece[]): Promise<Nodes> => {
  const { compressedSceneKey: key, checksum } = snapshot;
  const { deltas, base } = (await readPiece(pieces, { key, checksum })) as Manifest;
  const [nodes, known]: [Nodes, Set<string>] = [new Map(), new Set()];
  for (const name of [...deltas.toReversed(), ...base.map(({ piece }) => piece)]) {
    const piece = (await readPiece(pieces, name)) as Piece;
    for (const node of piece.nodes) if (!known.has(node.id)) nodes.set(node.id, toNodeState(node, node.revision));
    for (const id of [...piece.nodes.map((node) => node.id), ...piece.removed]) known.add(id);
  }
  return nodes;
};

const isUnder = (name: string, names: readonly string[]): boolean =>
  names.some((one) => name === one || name.startsWith(`${one}.`));

const write = (properties: Properties, { set = {}, unset = [] }: Written): Properties => ({
  ...Object.fromEntries(Object.entries(properties).filter(([name]) => !isUnder(name, unset))),
  ...set,
});

const apply = (nodes: Nodes, { type, targetIds, payload }: Operation, version: number): void => {
  const change = (id: string, fields: (node: NodeState) => Partial<NodeState>): void => {
    const node = nodes.get(id);
    if (node !== undefined) nodes.set(id, { ...node, ...fields(node), revision: version });
  };
  const set = (id: string, written: Written): void =>
    change(id, ({ properties }) => ({ properties: write(properties, written) }));
  const { nodes: named = {}, reordered = {}, moves = [], deleted = [], transforms = {}, update = '' } = payload;
  for (const [id, orderKey] of Object.entries(reordered)) change(id, () => ({ orderKey }));
  if (type === 'createNode' && Array.isArray(named))
    for (const node of named as readonly SentNode[]) nodes.set(node.id, toNodeState(node, version));
  for (const { id, parentId, orderKey, transform } of moves)
    change(id, ({ properties }) => ({
      parentId,
      orderKey,
      properties: transform === undefined ? properties : { ...properties, transform },
    }));
  for (const id of deleted) nodes.delete(id);
  if (type === 'setProperties') {
    if (payload.set !== undefined || payload.unset !== undefined) for (const id of targetIds) set(id, payload);
    for (const [id, own] of Object.entries(named)) set(id, own as Written);
  }
  for (const [id, transform] of Object.entries(transforms)) set(id, { set: { transform } });
  if (type === 'textOperation')
    for (const id of targetIds)
      change(id, ({ document }) => {
        Y.applyUpdate(document, Buffer.from(update, 'base64'));
        return {};
      });
};

export interface Client {
  readonly version: () => number;
  readonly nodes: () => readonly Node[];
  /** Numbers it, sends it, and again after every reconnect; resolves with its result. */
  readonly edit: (type: string, payload: Payload, targetIds?: readonly string[]) => Promise<Result>;
  /** An id for a new node, once it has joined. */
  readonly newId: () => string;
  readonly joined: () => Promise<void>;
  /** Breaks the connection, as networks do. */
  readonly breakLine: () => void;
  readonly close: () => void;
}

export interface ClientOptions {
  readonly url: string;
  readonly headers: () => Record<string, string>;
  readonly documentId: string;
  /** What it waits first before it comes back; twice as long each time. */
  readonly firstWait: number;
}

interface Pending {
  readonly operation: Operation;
  readonly settle: (result: Result) => void;
}

const never = new Set([1002, 1003, 1007, 1008, 1009, 4400, 4403, 4410]);

export const openClient = ({ url, headers, documentId, firstWait }: ClientOptions): Client => {
  const pending: Pending[] = [];
  let [nodes, version, clientId, lastSettled, counter]: [Nodes, number, string | undefined, number, number] = [
    new Map(),
    0,
    undefined,
    0,
    0,
  ];
  let [socket, wait, isClosed, isJoined]: [WebSocket | undefined, number, boolean, boolean] = [
    undefined,
    firstWait,
    false,
    false,
  ];
  let taken = Promise.resolve();
  let whenJoined = (): void => undefined;
  const sendMessage = (message: object): void => socket?.send(JSON.stringify(message));

  const send = (items: readonly Pending[]): void => {
    const last = items.at(-1)?.operation.clientSeq;
    if (last !== undefined)
      sendMessage({
        type: 'operations',
        documentId,
        clientSeq: last,
        operations: items.map(({ operation }) => operation),
      });
  };
  const join = (): void =>
    sendMessage({
      type: 'join',
      documentId,
      lastCommittedVersion: version,
      capabilities: ['schema:2'],
      ...(clientId === undefined ? {} : { clientId, settledClientSeq: lastSettled }),
    });
  const settle = (results: readonly Result[]): void => {
    for (const result of results) {
      const index = pending.findIndex(({ operation }) => operation.opId === result.opId);
      const [item] = index < 0 ? [] : pending.splice(index, 1);
      if (item === undefined) continue;
      lastSettled = Math.max(lastSettled, item.operation.clientSeq);
      item.settle(result);
    }
  };
  const take = async (message: Message): Promise<void> => {
    if (message.type === 'joined') {
      clientId = message.clientId;
      [isJoined, wait] = [true, firstWait];
      send(pending);
      whenJoined();
    } else if (message.type === 'snapshot') {
      nodes = await readSnapshot(message.snapshot, message.pieces);
      version = message.snapshot.version;
    } else if (message.type === 'operations') {
      if (message.fromVersion > version + 1) return join();
      for (const operation of message.operations.slice(version + 1 - message.fromVersion)) {
        version += 1;
        apply(nodes, operation, version);
      }
    } else if (message.type === 'ack') settle(message.results);
    else if (message.type === 'rateLimited') setTimeout(() => send(pending), message.retryAfterMs);
    else if (message.code === 'client-seq-gap')
      send(pending.filter(({ operation }) => operation.clientSeq >= (message.expectedClientSeq ?? 1)));
    else if (message.code === 'service-unavailable') setTimeout(() => socket?.close(), 1_000);
  };
  const connect = (): void => {
    const opened = new WebSocket(url, ['septet.editor.v1'], { headers: headers() });
    socket = opened;
    opened.on('open', join);
    opened.on('error', () => undefined);
    // One after the other: a snapshot takes a while to read.
    opened.on('message', (bytes: Buffer) => {
      taken = taken.then(() => (socket === opened ? take(JSON.parse(bytes.toString('utf8')) as Message) : undefined));
    });
    opened.on('close', (code) => {
      isJoined = false;
      if (isClosed || never.has(code)) return;
      setTimeout(connect, wait * (0.5 + Math.random() / 2));
      wait = Math.min(wait * 2, 30_000);
    });
  };
  connect();
  let lastSeq = 0;
  return {
    version: () => version,
    nodes: () =>
      Array.from(nodes.values(), ({ document, ...node }) => ({ ...node, text: document.getText('text').toString() })),
    newId: () => {
      counter += 1;
      return `${clientId}:${counter}`;
    },
    joined: () =>
      new Promise((resolve) => {
        whenJoined = resolve;
        if (isJoined) resolve();
      }),
    edit: (type, payload, targetIds = []) =>
      new Promise((resolve) => {
        lastSeq += 1;
        const fields = {
          documentId,
          actorId: 'me',
          clientSeq: lastSeq,
          baseVersion: version,
          type,
          targetIds,
          payload,
        };
        const operation = { opId: `${clientId}-${lastSeq}`, createdAt: new Date().toISOString(), ...fields };
        const item = { operation, settle: resolve };
        pending.push(item);
        if (isJoined) send([item]);
      }),
    breakLine: () => socket?.terminate(),
    close: () => {
      isClosed = true;
      socket?.close();
    },
  };
};
