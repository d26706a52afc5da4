/** The text of the generated files. */
import type { OpenApi } from '../../infra/server/http/openapi';
import { type Components, type Found, type OperationDoc, operationType, type Row, rowOf } from './operations';
import { nameOf, type Schema, shapeOf, typeOf } from './schema-types';

export type Document = Pick<OpenApi, 'paths' | 'components'>;

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const operationsIn = ({ paths }: Document): readonly Found[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, doc]) => ({ method, path, doc: doc as OperationDoc })),
    )
    .filter(({ doc }) => doc['x-declared'] !== true && doc['x-bytes'] !== true)
    .sort(({ doc: one }, { doc: other }) => (one.operationId < other.operationId ? -1 : 1));

const refusedNames = new Set(['position', 'observePosition', 'close', 'then']);

const checked = (all: readonly Found[]): readonly Found[] => {
  const names = all.map(({ doc }) => doc.operationId);
  const twice = names.find((name, at) => names.indexOf(name) !== at || refusedNames.has(name));
  if (twice !== undefined) throw new Error(`two operations are named ${twice}, or a method of the client is`);
  return all;
};

const first = '// Made by `npm run generate:client` of the routes; never edited by hand.\n';
const commented = (text: string): string => text.replaceAll('*/', '* /');

const typesFile = (document: Document, components: Components, anywhere: readonly string[]): string => {
  const codes = anywhere.map((code) => JSON.stringify(code)).sort();
  const gateway = `/** What any request may be refused with before it comes to an operation. */\nexport type GatewayCode = ${codes.join(' | ')};\n`;
  const types = Object.entries(components)
    .sort(byName)
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  const operations = operationsIn(document).map(
    (found) =>
      `/** ${commented(found.doc.summary)} */\nreadonly ${found.doc.operationId}: ${operationType(found, components)};`,
  );
  const imports = "import type { Nothing, Operation } from '../operation';\n";
  return `${first}${imports}\n${types.join('\n')}\n\n${gateway}\nexport interface Operations {\n${operations.join('\n')}\n}\n`;
};

/** Replaces references to plain types by the type. */
const slim = (value: unknown, components: Components): unknown => {
  if (Array.isArray(value)) return value.map((one) => slim(one, components));
  if (typeof value !== 'object' || value === null) return value;
  const of = 'of' in value ? shapeOf(components[String(value.of)] ?? {}) : undefined;
  if (typeof of === 'string') return of;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, slim(one, components)]));
};

const namesIn = (shapes: unknown): readonly string[] =>
  [...JSON.stringify(shapes).matchAll(/"of":"([^"]+)"/g)].map(([, name = '']) => name);

/** Names of all schemas that the shapes reach. */
const reached = (shapes: unknown, components: Components): readonly string[] => {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    for (const name of namesIn(value)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(slim(shapeOf(components[name] ?? {}), components));
    }
  };
  visit(shapes);
  return [...names].sort();
};

/** References become functions that return the constant of that name, because shapes may be recursive. */
const codeOf = (value: unknown, components: Components, prefix = ''): string =>
  JSON.stringify(value).replace(/"of":"(\w+)"/g, (all, name: string) =>
    components[name] === undefined ? all : `"of":() => ${prefix}${name}`,
  );

/** One constant per operation and shape, so that a bundle has only the used ones. */
const codeFiles = (document: Document, components: Components) => {
  const rows = operationsIn(document).map((found) => slim(rowOf(found, components), components) as Row);
  const ofRows = new Set(namesIn(rows));
  const shapes = reached(rows, components).map((name): string => {
    const shape = slim(shapeOf(components[name] ?? {}), components);
    return `${ofRows.has(name) ? 'export ' : ''}const ${name}: Shape = ${codeOf(shape, components)};\n`;
  });
  const operations = rows.map(
    (row) =>
      `export const ${row.operation}: Endpoint<Operations['${row.operation}']> = /* @__PURE__ */ endpoint(${codeOf(row, components, 'shapes.')});\n`,
  );
  const imports = [
    "import { type Endpoint, endpoint } from '../operation';",
    "import * as shapes from './shapes';",
    "import type { Operations } from './types';",
  ];
  return {
    'shapes.ts': `${first}import type { Shape } from '../shape';\n\n${shapes.join('')}`,
    'operations.ts': `${first}${imports.join('\n')}\n\n${operations.join('')}`,
  };
};

/** The schemas that operations reach; others need no type. */
const used = (document: Document): Components => {
  const all = document.components.schemas as Components;
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, $ref = ''] of JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)) {
      const name = nameOf($ref);
      if (names.has(name)) continue;
      names.add(name);
      visit(all[name] ?? {});
    }
  };
  visit(checked(operationsIn(document)));
  return Object.fromEntries([...names].map((name): [string, Schema] => [name, all[name] ?? {}]));
};

/** By file name. `anywhere`: codes that any request may be refused with. */
export const filesOf = (document: Document, anywhere: readonly string[]): { readonly [name: string]: string } => {
  const { Problem: _problem, ...components } = used(document);
  return { 'types.ts': typesFile(document, components, anywhere), ...codeFiles(document, components) };
};
