/** Maps method and path to a service, with its authentication and bounds, as the contexts' manifests declare. */
import type { IncomingMessage } from 'node:http';
import { contexts } from '../../../domain/contexts';
import type { Context, Destination as Declared, HttpMethod, TransferLimits } from '../../../domain/kernel/context';
import { systemServices } from '../../server/services';
import { isMoreSpecific, type PathTemplate, pathTemplate, specificityOf, templatesOverlap } from './path-template';
import { routedPaths } from './routed-paths';

export interface Destination extends Pick<Declared, 'browser' | 'webSocket' | 'operations' | 'readableFrom'> {
  /** The service's name. */
  readonly upstream: string;
  /** `gateway`: by an access token. */
  readonly authenticatedBy: 'gateway' | 'service';
  /** Key that determines the endpoint of a sharded service. */
  readonly key?: string;
  /** Undefined: the usual bounds of body and time. */
  readonly transfer?: TransferLimits;
}

/** One path of a destination. */
interface DestinationPath {
  readonly context: string;
  readonly declared: Declared;
  readonly template: PathTemplate;
}

const idleBlobMilliseconds = 90_000;
/** What 5 GiB take at 16 bytes a millisecond, the least that the store bears. */
const wholeBlobMilliseconds = 4 * 86_400_000;

/** Blob transfers by signed URL: the signature bounds size and time. */
const blobs: Declared = {
  paths: ['/blobs/**'],
  service: 'blobs',
  authenticatedBy: 'service',
  transfer: {
    maxBytes: Number.POSITIVE_INFINITY,
    idleMilliseconds: idleBlobMilliseconds,
    maxMilliseconds: wholeBlobMilliseconds,
  },
};

/** What the gateway answers itself. */
const ownPaths: Declared = {
  paths: [
    '/console/**',
    '/watch/**',
    '/docs/**',
    '/problems/**',
    '/llm/**',
    '/openapi.json',
    '/livez',
    '/healthz',
    '/readyz',
    '/metrics',
  ],
  service: 'gateway',
};

const gatewayContext: Pick<Context, 'name' | 'destinations'> = { name: 'gateway', destinations: [blobs, ownPaths] };

const methodsOf = ({ methods, operations }: Declared): readonly string[] | undefined =>
  methods ?? operationMethods(operations);

const operationMethods = (operations: Declared['operations']): readonly string[] | undefined =>
  operations === undefined ? undefined : Object.keys(operations);

const shareMethod = (one: Declared, other: Declared): boolean => {
  const [own, others] = [one.methods, other.methods];
  return own === undefined || others === undefined || own.some((method) => others.includes(method));
};

/** What a timer can wait. */
const longestMilliseconds = 2 ** 31 - 1;

const transferFault = ({ maxBytes, idleMilliseconds: idle, maxMilliseconds: whole = idle }: TransferLimits) => {
  if (!(idle > 0 && maxBytes >= 0)) return 'a transfer has a size and an idle time';
  return whole >= idle && whole <= longestMilliseconds
    ? undefined
    : 'the whole time of a transfer is at least its idle time, and at most 24 days';
};

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

const readersFault = ({ browser, readableFrom = [] }: Declared): string | undefined => {
  if (browser === true && readableFrom.length > 0) return 'what comes with cookies is read by no other origin';
  if (typeof readableFrom === 'string' || readableFrom.every(isOrigin)) return undefined;
  return 'origins are scheme, host and port';
};

/** Why a destination cannot be. */
const faultOf = (declared: Declared): string | undefined => {
  const { service, methods, question, operations, authenticatedBy, webSocket, paths, transfer } = declared;
  const all = methodsOf(declared);
  if (service !== undefined && !systemServices.some(({ name }) => name === service))
    return `no service ${service} runs`;
  const isQuestion = question === true && service === 'read-api' && all?.join() === 'POST';
  if (question === true && !isQuestion) return 'a question is a POST, and only one, that read-api answers';
  const onlyReads = all?.every((method) => method === 'GET') === true;
  if (service === 'read-api' && !isQuestion && !onlyReads) return 'only questions and GET reach read-api';
  if (webSocket === true && all?.includes('GET') === false) return 'a WebSocket begins with GET';
  if (operations !== undefined && (paths.length !== 1 || methods !== undefined))
    return 'operations belong to one path, and are its methods';
  if (operations !== undefined && service === undefined) return 'operations name the service that answers them';
  const scopes = Object.values(operations ?? {}).flatMap((operation) => operation.scopes);
  if (authenticatedBy === 'service' && scopes.length > 0)
    return 'scopes are of access tokens, which the service does not see';
  return readersFault(declared) ?? (transfer === undefined ? undefined : transferFault(transfer));
};

const conflictOf = (one: DestinationPath, other: DestinationPath): string | undefined => {
  if (!shareMethod(one.declared, other.declared) || !templatesOverlap(one.template, other.template)) return undefined;
  const pair = `${one.template.text} of ${one.context} and ${other.template.text} of ${other.context}`;
  if (one.context !== other.context) return `${pair} overlap`;
  const isDecided = isMoreSpecific(one.template, other.template) || isMoreSpecific(other.template, one.template);
  return isDecided ? undefined : `${pair} overlap, and neither is more specific`;
};

/** Throws for a manifest that is not clear: the gateway does not start with it. */
const assertClear = (paths: readonly DestinationPath[]): void => {
  for (const [index, path] of paths.entries()) {
    const fault = faultOf(path.declared);
    if (fault !== undefined) throw new Error(`destination ${path.template.text} of ${path.context}: ${fault}`);
    for (const other of paths.slice(index + 1)) {
      const conflict = conflictOf(path, other);
      if (conflict !== undefined) throw new Error(`destinations ${conflict}`);
    }
  }
};

const pathOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
};

const methodOrGet = (method: string): string => (method === 'HEAD' ? 'GET' : method);

/** The query API answers GET, the command API everything else. */
const usualService = (method: string): string => (method === 'GET' ? 'read-api' : 'commands');

const resolved = (
  { declared }: DestinationPath,
  method: string,
  parameters: Readonly<Record<string, string>>,
): Destination => {
  const { service, authenticatedBy = 'gateway', browser, transfer, webSocket, operations, readableFrom } = declared;
  const key = declared.key === undefined ? undefined : parameters[declared.key];
  return {
    upstream: service ?? usualService(method),
    authenticatedBy,
    ...(key === undefined ? {} : { key }),
    ...(browser === undefined ? {} : { browser }),
    ...(transfer === undefined ? {} : { transfer }),
    ...(webSocket === undefined ? {} : { webSocket }),
    ...(operations === undefined ? {} : { operations }),
    ...(readableFrom === undefined ? {} : { readableFrom }),
  };
};

/** Undefined: no service serves the path. */
export type ResolveDestination = (method: string, target: string) => Destination | undefined;

/** Throws when destinations overlap without one being more specific, across contexts, or contradict themselves. */
export const createResolver = (all: readonly Pick<Context, 'name' | 'destinations'>[]): ResolveDestination => {
  const paths = [...all, gatewayContext]
    .flatMap(({ name, destinations }) =>
      destinations.flatMap((declared) =>
        declared.paths.map((path): DestinationPath => ({ context: name, declared, template: pathTemplate(path) })),
      ),
    )
    .sort((one, other) => specificityOf(other.template) - specificityOf(one.template));
  assertClear(paths);
  const routed = paths.filter(({ declared }) => declared !== ownPaths);
  return (requested, target) => {
    const [method, path] = [methodOrGet(requested), pathOf(target)];
    for (const one of routed) {
      if (one.declared.methods?.includes(method as HttpMethod) === false) continue;
      const parameters = one.template.match(path);
      if (parameters !== undefined) return resolved(one, method, parameters);
    }
    if (!path.startsWith('/v1/')) return undefined;
    return { upstream: usualService(method), authenticatedBy: 'gateway' };
  };
};

/** What the routes themselves declare: the service that answers each, and the copy of it. */
const routedDestinations = (context: string): readonly Declared[] =>
  routedPaths
    .filter((routed) => routed.context === context)
    .map(({ context: _, ...declared }) => {
      const key = systemServices.find(({ name }) => name === declared.service)?.key;
      const isKeyed = key !== undefined && declared.paths.some((path) => path.includes(`{${key}}`));
      return { ...declared, ...(isKeyed ? { key } : {}) };
    });

/** Manifests and routes together. */
export const routedContexts: readonly Pick<Context, 'name' | 'destinations'>[] = contexts.map(
  ({ name, destinations }) => ({ name, destinations: [...destinations, ...routedDestinations(name)] }),
);

export const resolveDestination = createResolver(routedContexts);

/** Whether bodies of any length may take their time: the idle time bounds them, not a deadline. */
export const isTransfer = ({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  resolveDestination(method, url)?.transfer !== undefined;
