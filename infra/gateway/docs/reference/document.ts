/** The parts of an OpenAPI document that the reference shows. */
import type { JsonSchema } from '../../../../domain/kernel/codec';

export interface Content {
  readonly [type: string]: { readonly schema?: JsonSchema; readonly example?: unknown };
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

export interface Response {
  readonly description?: string;
  readonly headers?: { readonly [name: string]: unknown };
  readonly content?: Content;
  /** Titles by code. */
  readonly 'x-problems'?: { readonly [code: string]: string };
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: { readonly [status: string]: Response };
  readonly security?: readonly { readonly [scheme: string]: readonly string[] }[];
  readonly 'x-limit-group'?: string;
  readonly 'x-sensitive'?: boolean;
  readonly 'x-stream'?: string | true;
}

export interface Schemas {
  readonly [name: string]: JsonSchema;
}

export interface ReferenceDocument {
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly components: { readonly schemas: Schemas };
  readonly servers?: readonly { readonly url: string }[];
}

/** An operation with its place. */
export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly id: string;
  readonly group: string;
}

export const entriesOf = ({ paths }: Pick<ReferenceDocument, 'paths'>): readonly Entry[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => {
      const operation = value as Operation;
      const id = operation.operationId ?? `${method}-${path}`;
      return { method: method.toUpperCase(), path, operation, id, group: operation.tags?.[0] ?? 'other' };
    }),
  );
