/**
 * Operations, as clients send them and as they are committed. A committed operation contains its result
 * (`reducer/resolve.ts`), so applying it (`reducer/apply.ts`) needs no rules.
 */
import * as t from 'io-ts';
import {
  described,
  documentedVariants,
  finite,
  Instant,
  integer,
  nullable,
  oneOf,
  record,
  text,
} from '../kernel/codec';
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

const isTransform = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && (value.length === 6 || value.length === 16) && value.every(finite.is);

/** 2D `a b c d e f` as in SVG, or a 4×4 matrix in column order. Stored as sent. */
export const Transform = described(
  new t.Type<readonly number[], readonly number[], unknown>(
    'Transform',
    isTransform,
    (value, context) => (isTransform(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  ),
  { type: 'array', items: { type: 'number' }, minItems: 6, maxItems: 16, examples: [[1, 0, 0, 1, 40, 40]] },
);

export const NodeType = oneOf('NodeType', ['frame', 'group', 'rect', 'ellipse', 'path', 'text', 'image']);
export type NodeType = t.TypeOf<typeof NodeType>;

/** In committed operations, newer schema versions may have added types, which are stored as they are. */
export const StoredNodeType = text('KeptNodeType', { examples: ['rect'], maxLength: 32, pattern: '[a-z][A-Za-z0-9]*' });

/** A dotted path: `style.fill`, `opacity`, `overrides.<id>.<name>`. Each path is written separately. */
export const PropertyName = text('PropertyName', {
  examples: ['style.fill'],
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
    /** Base64 of a Yjs update: the text of a text node. */
    text: text('TextState', {
      examples: ['AAA='],
      maxLength: limits.textState,
      pattern: '[A-Za-z0-9+/]*={0,2}',
      minLength: 0,
    }),
    /** Ancestors of the parent, the nearest first; the node goes there if the parent is deleted. */
    ancestors: t.array(NodeId, 'Ancestors'),
    /** World transform of the parent, to keep the position if the parent is deleted. */
    space: Transform,
  },
);
export type NewNode = t.TypeOf<typeof NewNode>;

const Move = record(
  'Move',
  { id: NodeId, parentId: nullable(NodeId), orderKey: OrderKey },
  {
    /** In the new parent's space; if omitted, the node stays where it is on the canvas. */
    transform: Transform,
    /**
     * Committed only, on a change of parent: the old parent's world transform, to convert transforms that were meant
     * there.
     */
    fromSpace: Transform,
    /** Committed only, on a change of parent: the client, which has seen the move. */
    by: ClientId,
  },
);
export type Move = t.TypeOf<typeof Move>;

/** Committed only: new keys of siblings that were respaced. */
const Reordered = t.record(NodeId, OrderKey, 'Reordered');

export const payloadCodecs = {
  createNode: record('CreateNode', { nodes: t.array(NewNode, 'NewNodes') }, { reordered: Reordered }),
  /** Committed only: all deleted nodes, children before parents. */
  deleteNode: record(
    'DeleteNode',
    {},
    {
      deleted: t.array(NodeId, 'Deleted'),
      /**
       * Keeps descendants that are not named; they move to an existing ancestor. Undoing a creation must not delete
       * others' work.
       */
      onlyNamed: t.literal(true, 'OnlyNamed'),
      /** Committed only: the moves of descendants that are not deleted. */
      moves: t.array(Move, 'Moves'),
      reordered: Reordered,
    },
  ),
  /** `set` and `unset` apply to all targets, then `nodes` to each its own. `unset` also removes all nested names. */
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
    update: text('TextUpdate', { examples: ['AAA='], maxLength: limits.textUpdate, pattern: '[A-Za-z0-9+/]+={0,2}' }),
  }),
  restoreVersion: record(
    'RestoreVersion',
    { version: integer(0) },
    {
      /** Committed only: the restored scene's manifest in object storage. */
      snapshot: record('RestoredSnapshot', {
        manifestKey: text('ManifestKey', { examples: ['documents/main/9b2e/manifest'], maxLength: 512 }),
        checksum: text('Checksum', {
          examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
          maxLength: 64,
        }),
      }),
    },
  ),
} as const satisfies { readonly [type in OperationType]: t.Mixed };

/** The specification's `Operation`. `payload` is decoded by its type where an operation is resolved, so that one bad operation rejects no batch. */
export const Operation = documentedVariants(
  record(
    'DocumentOperation',
    {
      opId: OperationId,
      documentId: DocumentId,
      /** The principal; the server overwrites what the client sends. */
      actorId: text('ActorId', { examples: ['7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'], maxLength: 128 }),
      /** Consecutive per client. */
      clientSeq: integer(1),
      /** The committed version that the client had seen; a higher one counts as the newest. */
      baseVersion: integer(0),
      type: OperationType,
      targetIds: t.array(NodeId, 'TargetIds'),
      payload: t.unknown,
      /** Time of the commit; the server overwrites what the client sends. */
      createdAt: Instant,
    },
    {
      undoGroupId: text('UndoGroupId', { examples: ['undo-7'], maxLength: 64 }),
      /** An operation of the same actor that nothing inverts yet. */
      inverseOf: OperationId,
      /** Consecutive operations with the same group are committed all or none. */
      atomicGroup: text('AtomicGroup', { examples: ['paste-3'], maxLength: 64 }),
    },
  ),
  { by: 'type', field: 'payload', codecs: payloadCodecs },
);
export type Operation = t.TypeOf<typeof Operation>;

export type Payload<Type extends OperationType> = t.TypeOf<(typeof payloadCodecs)[Type]>;
