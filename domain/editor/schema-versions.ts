/**
 * What content is written in. A schema only ever adds: what has a name keeps its meaning. Whoever speaks an earlier one is told everything
 * as it is, keeps what they do not know, and passes it on when they copy or undo; what they cannot mean, they cannot write.
 */
import { type Either, left, right } from 'fp-ts/Either';

export interface Schema {
  /** Beside what the one before has. */
  readonly brings: string;
  /** Names of properties that mean something from here on, with everything under them. */
  readonly properties: readonly string[];
  readonly nodeTypes: readonly string[];
  /** False where clients of earlier ones cannot even keep it, as with kinds of operations: they are not let in any more. */
  readonly isKeptByEarlier: boolean;
}

/** The first is version 1. */
export type Schemas = readonly Schema[];

export const schemas: Schemas = [
  {
    brings: 'frames, groups, shapes, paths, texts and pictures',
    properties: [],
    nodeTypes: ['frame', 'group', 'rect', 'ellipse', 'path', 'text', 'image'],
    isKeptByEarlier: true,
  },
  {
    brings: 'components and their instances',
    properties: ['component', 'instanceOf', 'overrides'],
    nodeTypes: [],
    isKeptByEarlier: true,
  },
];

/** That clients may speak: all from the newest that cannot be kept without knowing it. */
export const minimumVersionOf = (all: Schemas): number =>
  Math.max(1, 1 + all.findLastIndex(({ isKeptByEarlier }) => !isKeptByEarlier));

export const currentSchemaVersion = schemas.length;
export const minimumSchemaVersion = minimumVersionOf(schemas);

/** How a client says that it speaks one. */
const capabilityPattern = /^schema:(\d{1,4})$/u;

export const schemaCapability = (version: number): string => `schema:${version}`;

/** What clients of this version say. */
export const supportedSchemas: readonly string[] = Array.from(
  { length: currentSchemaVersion - minimumSchemaVersion + 1 },
  (_, index) => schemaCapability(minimumSchemaVersion + index),
);

export interface SchemaMismatch {
  readonly code: 'client-too-old' | 'client-too-new';
  readonly detail: string;
}

/** A client may name as many as it likes. */
const listVersions = (versions: readonly number[]): string => versions.slice(0, 8).join(', ');

const schemaMismatch = (named: readonly number[], [oldest, present]: readonly [number, number]): SchemaMismatch => {
  const spoken = `Documents are spoken in schemas ${oldest} to ${present}, and this client speaks ${listVersions(named)}`;
  return Math.max(...named) > present
    ? { code: 'client-too-new', detail: `${spoken}: the server is behind; come back when it is updated.` }
    : { code: 'client-too-old', detail: `${spoken}: reload or update the client; what it has not sent is kept by it.` };
};

/** The highest that both speak. Who names none speaks the first. */
export const negotiateSchema = (
  capabilities: readonly string[],
  all: Schemas = schemas,
): Either<SchemaMismatch, number> => {
  const said = capabilities.flatMap((word) => capabilityPattern.exec(word)?.[1] ?? []).map(Number);
  const named = said.length === 0 ? [1] : [...new Set(said)];
  const [oldest, present] = [minimumVersionOf(all), all.length];
  const common = named.filter((version) => version >= oldest && version <= present);
  return common.length > 0 ? right(Math.max(...common)) : left(schemaMismatch(named, [oldest, present]));
};

/** What those who speak a schema cannot mean. */
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

/** Undefined: nothing is, or that schema is not known here. */
export const additionsAfter = (version: number, all: Schemas = schemas): SchemaAdditions | undefined =>
  all === schemas ? additionsByVersion[version - 1] : additionsOf(all.slice(version));
