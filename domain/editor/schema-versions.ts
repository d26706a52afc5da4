/**
 * Schema versions and their negotiation. A version only adds features; existing names keep their meaning. Older
 * clients receive everything, keep what they do not know, and pass it on when they copy or undo; they cannot write
 * it.
 */
import { type Either, left, right } from 'fp-ts/Either';

export interface Schema {
  /** What the version adds. */
  readonly brings: string;
  /** New property names, with everything nested under them. */
  readonly properties: readonly string[];
  readonly nodeTypes: readonly string[];
  /** False if older clients cannot even keep the additions, as with new operation types; then they are refused. */
  readonly isPreservedByEarlier: boolean;
}

/** The first is version 1. */
export type Schemas = readonly Schema[];

export const schemas: Schemas = [
  {
    brings: 'frames, groups, shapes, paths, texts and pictures',
    properties: [],
    nodeTypes: ['frame', 'group', 'rect', 'ellipse', 'path', 'text', 'image'],
    isPreservedByEarlier: true,
  },
  {
    brings: 'components and their instances',
    properties: ['component', 'instanceOf', 'overrides'],
    nodeTypes: [],
    isPreservedByEarlier: true,
  },
];

/** The lowest version that may connect. */
export const minimumVersionOf = (all: Schemas): number =>
  Math.max(1, 1 + all.findLastIndex(({ isPreservedByEarlier }) => !isPreservedByEarlier));

export const currentSchemaVersion = schemas.length;
export const minimumSchemaVersion = minimumVersionOf(schemas);

/** Capability string of a version. */
const capabilityPattern = /^schema:(\d{1,4})$/u;

export const schemaCapability = (version: number): string => `schema:${version}`;

/** Capabilities of this build's clients. */
export const supportedSchemas: readonly string[] = Array.from(
  { length: currentSchemaVersion - minimumSchemaVersion + 1 },
  (_, index) => schemaCapability(minimumSchemaVersion + index),
);

export interface SchemaMismatch {
  readonly code: 'client-too-old' | 'client-too-new';
  readonly detail: string;
}

/** Shows at most eight; a client may name any number. */
const listVersions = (versions: readonly number[]): string => versions.slice(0, 8).join(', ');

const schemaMismatch = (named: readonly number[], oldest: number, present: number): SchemaMismatch => {
  const spoken = `The server supports document schemas ${oldest} to ${present}, this client ${listVersions(named)}`;
  return Math.max(...named) > present
    ? { code: 'client-too-new', detail: `${spoken}: the server is older; try again after its update.` }
    : { code: 'client-too-old', detail: `${spoken}: reload or update the client, which keeps its unsent edits.` };
};

/** The highest common version. A client that names none has version 1. */
export const negotiateSchema = (
  capabilities: readonly string[],
  all: Schemas = schemas,
): Either<SchemaMismatch, number> => {
  const versions = capabilities.flatMap((word) => capabilityPattern.exec(word)?.[1] ?? []).map(Number);
  const named = versions.length === 0 ? [1] : [...new Set(versions)];
  const oldest = minimumVersionOf(all);
  const present = all.length;
  const common = named.filter((version) => version >= oldest && version <= present);
  return common.length > 0 ? right(Math.max(...common)) : left(schemaMismatch(named, oldest, present));
};

/** Features that clients of a version do not know. */
export interface SchemaAdditions {
  readonly property: (name: string) => boolean;
  readonly nodeType: (type: string) => boolean;
}

const additionsOf = (newer: Schemas): SchemaAdditions => {
  const properties = new Set(newer.flatMap((schema) => schema.properties));
  const types = new Set(newer.flatMap(({ nodeTypes }) => nodeTypes));
  return {
    property: (name) => properties.has(name.split('.', 1)[0] ?? name),
    nodeType: (type) => types.has(type),
  };
};

const additionsByVersion = schemas.map((_, index) => additionsOf(schemas.slice(index + 1)));

/** Undefined if there are none, or if the version is unknown. */
export const additionsAfter = (version: number, all: Schemas = schemas): SchemaAdditions | undefined =>
  all === schemas ? additionsByVersion[version - 1] : additionsOf(all.slice(version));
