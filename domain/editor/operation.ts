/**
 * Operations as clients send them and as they are committed: one shape. A committed one holds the result (`scene/resolve.ts`), so
 * that applying it (`scene/apply.ts`) needs no rules.
 */
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, oneOf, record, text } from '../kernel/codec';
import { ClientId, DocumentId, NodeId, OperationId, OrderKey } from './ids';
import { limits } from './limits';

export const OperationType = oneOf('OperationType', [
  'createNode',
  'deleteNode',
  'setProperties',
  'transformNodes',
  'moveChild',
  'textOperation',
  'restoreVersion',
]);
export type OperationType = t.TypeOf<typeof OperationType>;

/** The specification's `Operation`; `payload` is decoded by its type (`payloads`). */
export const Operation = record(
  'DocumentOperation',
  {
    opId: OperationId,
    documentId: DocumentId,
    /** The principal. What a client says here is replaced by who it is. */
    actorId: text('ActorId', { maxLength: 128 }),
    /** One more than that of the client's operation before. */
    clientSeq: integer(1),
    /** The committed version that the client had seen; a higher one than there is counts as the newest. */
    baseVersion: integer(0),
    type: OperationType,
    targetIds: t.array(NodeId, 'TargetIds'),
    payload: t.unknown,
    /** When it was committed. What a client says here is replaced by the server's time. */
    createdAt: Instant,
  },
  {
    undoGroupId: text('UndoGroupId', { maxLength: 64 }),
    /** Of the same actor, and inverted by nothing yet. */
    inverseOf: OperationId,
    /** Operations of a batch that follow each other with the same one are committed all or not at all. */
    atomicGroup: text('AtomicGroup', { maxLength: 64 }),
  },
);
export type Operation = t.TypeOf<typeof Operation>;

const isTransform = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && (value.length === 6 || value.length === 16) && value.every(finite.is);

/** 2D `a b c d e f` as in SVG, or 4 by 4 by columns. Kept as sent. */
export const Transform = new t.Type<readonly number[], readonly number[], unknown>(
  'Transform',
  isTransform,
  (value, context) => (isTransform(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
);

export const NodeType = oneOf('NodeType', ['frame', 'group', 'rect', 'ellipse', 'path', 'text', 'image']);
export type NodeType = t.TypeOf<typeof NodeType>;

/** Of what is committed: a newer schema may have brought others, which are kept as they are. */
export const StoredNodeType = text('KeptNodeType', { maxLength: 32, pattern: '[a-z][A-Za-z0-9]*' });

/** `style.fill`, `opacity`, `overrides.<id>.<name>`: a name with its path, so that each is written by itself. */
export const PropertyName = text('PropertyName', {
  maxLength: limits.propertyName,
  pattern: '[A-Za-z][A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_:-]+){0,3}',
});

const Properties = t.record(PropertyName, t.unknown, 'Properties');
const PropertyPatch = record('Written', {}, { set: Properties, unset: t.array(PropertyName, 'PropertyNames') });
export type PropertyPatch = t.TypeOf<typeof PropertyPatch>;

export const NewNode = record(
  'NewNode',
  { id: NodeId, type: StoredNodeType, parentId: nullable(NodeId), orderKey: OrderKey, properties: Properties },
  {
    /** Base64 of a Yjs update: the whole text of a text node. */
    text: text('TextState', { maxLength: limits.textState, pattern: '[A-Za-z0-9+/]*={0,2}', minLength: 0 }),
    /** Above the parent, the nearest first: where it goes when the parent is gone. */
    ancestors: t.array(NodeId, 'Ancestors'),
    /** From the parent's space into the document's: so that it is seen in the same place when the parent is gone. */
    space: Transform,
  },
);
export type NewNode = t.TypeOf<typeof NewNode>;

const Move = record(
  'Move',
  { id: NodeId, parentId: nullable(NodeId), orderKey: OrderKey },
  {
    /** In the new parent's space; left out, it stays where it is seen. */
    transform: Transform,
    /** Committed ones, to another parent: from the space of the one before into the document's, for what was meant there. */
    fromSpace: Transform,
    /** Committed ones, to another parent: who knows of it. */
    by: ClientId,
  },
);
export type Move = t.TypeOf<typeof Move>;

/** Committed ones: keys of siblings that were spread, as there was no short one left between them. */
const Reordered = t.record(NodeId, OrderKey, 'Reordered');

export const payloadCodecs = {
  createNode: record('CreateNode', { nodes: t.array(NewNode, 'NewNodes') }, { reordered: Reordered }),
  /** Committed ones: everything that went, each child before its parent. */
  deleteNode: record(
    'DeleteNode',
    {},
    {
      deleted: t.array(NodeId, 'Deleted'),
      /** What lies below and is not named is kept, in what is left above: as undoing its creation must leave others' work. */
      onlyNamed: t.literal(true, 'OnlyNamed'),
      /** Committed ones: what was kept, and where. */
      moves: t.array(Move, 'Moves'),
      reordered: Reordered,
    },
  ),
  /** `set` and `unset` for all targets alike, then `nodes` for each its own. What is unset goes with everything under its name. */
  setProperties: record(
    'SetProperties',
    {},
    {
      nodes: t.record(NodeId, PropertyPatch, 'WrittenNodes'),
      set: Properties,
      unset: t.array(PropertyName, 'PropertyNames'),
    },
  ),
  transformNodes: record('TransformNodes', { transforms: t.record(NodeId, Transform, 'Transforms') }),
  moveChild: record('MoveChild', { moves: t.array(Move, 'Moves') }, { reordered: Reordered }),
  textOperation: record('TextOperation', {
    /** Base64 of a Yjs update. */
    update: text('TextUpdate', { maxLength: limits.textUpdate, pattern: '[A-Za-z0-9+/]+={0,2}' }),
  }),
  restoreVersion: record(
    'RestoreVersion',
    { version: integer(0) },
    {
      /** Committed ones: the scene as it was, `manifestKey` in object storage. */
      snapshot: record('RestoredSnapshot', {
        manifestKey: text('ManifestKey', { maxLength: 512 }),
        checksum: text('Checksum', { maxLength: 64 }),
      }),
    },
  ),
} as const satisfies { readonly [type in OperationType]: t.Mixed };

export type Payload<Type extends OperationType> = t.TypeOf<(typeof payloadCodecs)[Type]>;
