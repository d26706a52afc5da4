/** What agents can request the approval of: the operations of the API, in the order in which the gateway matches them. */
import type { Document } from './render-files';

interface Documented {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly { readonly bearer?: readonly string[] }[];
  readonly 'x-bytes'?: boolean;
  readonly 'x-declared'?: boolean;
  readonly 'x-stream'?: unknown;
  readonly requestBody?: { readonly content: { readonly [mediaType: string]: unknown } };
}

/** Fixed segments before parameters, longer patterns before shorter ones, as the gateway matches. */
const specificityOf = (path: string): string => `${path.replaceAll(/\{[^}]+\}/g, '\uffff')}\uffff`;

/** A file or a stream is nothing that a person can read before it is sent. */
const isReadable = (documented: Documented): boolean => {
  const { requestBody, 'x-bytes': bytes, 'x-declared': declared, 'x-stream': stream } = documented;
  const isJson = Object.keys(requestBody?.content ?? {}).every((type) => type === 'application/json');
  return isJson && bytes !== true && declared !== true && stream === undefined;
};

/** `POST /v1/things json createThing things:write,more:write Create a thing` */
const lineOf = (method: string, path: string, documented: Documented): string => {
  const { operationId, summary, security = [] } = documented;
  const scopes = security.flatMap(({ bearer = [] }) => bearer);
  const kind = isReadable(documented) ? 'json' : 'bytes';
  return [method.toUpperCase(), path, kind, operationId, scopes.join(',') || '-', summary].join(' ');
};

export const approvableOperationsFile = ({ paths }: Document): string => {
  const lines = Object.entries(paths)
    .sort(([one], [other]) => (specificityOf(one) < specificityOf(other) ? -1 : 1))
    .flatMap(([path, methods]) =>
      Object.entries(methods as unknown as { readonly [method: string]: Documented })
        .filter(([, { security = [] }]) => security.length > 0)
        .map(([method, documented]) => lineOf(method, path, documented)),
    );
  const head = '// Made by `npm run generate:client` of the routes; never edited by hand.\n';
  return `${head}\n/** Method, path, kind of body, name, scopes and summary. */\nexport const approvableOperations = \`\n${lines.join('\n').replaceAll('`', "'")}\n\`;\n`;
};
