/** What the comparison of two versions looks like, and which page of it is asked for. */
import * as t from 'io-ts';
import { NodeId } from '../../../domain/editor/ids';
import { KeptNodeType, PropertyName } from '../../../domain/editor/operation';
import { integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { digits } from '../../../infra/http/digits';
import { type ShownDifference, shownBounds } from '../snapshots/shown-difference';
import { VersionNumber } from './common';

export const usualLimit = 200;
const largestLimit = 1_000;

const Limit = digits(`a whole number from 1 to ${largestLimit}`, {
  ...{ least: 1, most: largestLimit, usual: usualLimit, longest: 4 },
});

/** Versions never change, so a page begins behind a node whatever was asked before: nothing is to be kept from anybody by signing it. */
const Cursor = text('VersionDiffCursor', {
  maxLength: 27,
  pattern: '[0-9A-Za-z]{10}:[1-9][0-9]{0,15}',
  description: 'The `next_cursor` of the page before.',
});

export const DiffQuery = record(
  'VersionsQuery',
  { from: VersionNumber, to: VersionNumber },
  { limit: Limit, cursor: Cursor },
);

const Omitted = t.readonlyArray(oneOf('DiffSide', ['before', 'after']), 'DiffSides');

const PropertyDiff = record(
  'PropertyDiff',
  { name: PropertyName },
  { before: t.unknown, after: t.unknown, omitted: Omitted },
);
const Plain = text('DiffText', { minLength: 0, maxLength: shownBounds.textLength });
const TextDiff = record('TextDiff', {}, { before: Plain, after: Plain, omitted: Omitted });

const NodePlace = record('NodePlace', { parentId: nullable(NodeId), orderKey: text('PlaceKey', { maxLength: 128 }) });

const NodeDiff = record(
  'NodeDiff',
  {
    kind: oneOf('NodeDiffKind', ['created', 'deleted', 'changed']),
    id: NodeId,
    type: KeptNodeType,
    parentId: nullable(NodeId),
  },
  {
    name: text('NodeName', { minLength: 0, maxLength: shownBounds.nameLength }),
    properties: t.readonlyArray(PropertyDiff, 'PropertyDiffs'),
    moved: record('NodeMoved', { before: NodePlace, after: NodePlace }),
    text: TextDiff,
    retyped: record('NodeRetyped', { before: KeptNodeType, after: KeptNodeType }),
  },
);

/** Whoever shows something else does not compile. */
const items: t.Type<readonly ShownDifference[], unknown> = t.readonlyArray(NodeDiff);

export const VersionDiff = record('VersionDiff', {
  from: integer(0),
  to: integer(0),
  items,
  /** Of all, also of those on other pages. */
  counts: record('VersionDiffCounts', { created: integer(0), deleted: integer(0), changed: integer(0) }),
  next_cursor: nullable(Cursor),
});
