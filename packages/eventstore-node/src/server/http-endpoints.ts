/** HTTP/1.1 endpoints for probes and tools: `/health/live`, `/ping`, `/info`, `/stats`. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { status } from '@grpc/grpc-js';
import { administrators, operators } from '../access/acl';
import type { Node } from '../protocol/call-context';
import { CallError } from '../protocol/errors';
import { emulatedVersion } from '../protocol/server-features';
import { collectStats, nestStats } from './stats';

const sendJson = (response: ServerResponse, body: unknown): void => {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
};

const sendEmpty = (response: ServerResponse, code: number, headers: Record<string, string> = {}): void => {
  response.writeHead(code, { 'content-length': 0, ...headers }).end();
};

/** EventStoreDB's own text. The number of a message differs between releases, so clients can expect any number. */
const pingMessage = { msgTypeId: 0, text: 'Ping request successfully handled' } as const;

const nodeInfo = ({ access }: Node) => ({
  esVersion: emulatedVersion,
  dbVersion: emulatedVersion,
  state: 'leader',
  features: { projections: false, userManagement: false, atomPub: false },
  authentication: { type: access.kind, properties: {} },
});

/** `?group=false` returns flat names instead of a tree. */
const wantsFlatStats = (url: string): boolean => /[?&]group=false(?:&|$)/i.test(url);

const sendStats = async (
  node: Node,
  { headers, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  try {
    const caller = await node.access.callerFromHeader(headers.authorization);
    if (caller.kind === 'anonymous') return sendEmpty(response, 401, { 'www-authenticate': 'Basic realm="ESDB"' });
    node.access.allowOperator(caller, administrators, operators);
    sendJson(response, wantsFlatStats(url) ? collectStats(node) : nestStats(collectStats(node)));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    sendEmpty(response, error.code === status.PERMISSION_DENIED ? 403 : 401);
  }
};

/** 204, or the requested status: `?liveCode=200`. */
const liveCode = (url: string): number => {
  const [, code] = /[?&]liveCode=(2\d\d)(?:&|$)/.exec(url) ?? [];
  return code === undefined ? 204 : Number(code);
};

type HttpHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The path without query and trailing slash. */
const pathOf = ({ url = '/' }: IncomingMessage): string => (url.split('?')[0] as string).replace(/(?<=.)\/+$/, '');

export const createHttpHandler = (node: Node): RequestListener => {
  const answers: Readonly<Record<string, HttpHandler>> = {
    '/health/live': ({ url = '' }, response) => sendEmpty(response, liveCode(url)),
    '/ping': (_, response) => sendJson(response, pingMessage),
    '/info': (_, response) => sendJson(response, nodeInfo(node)),
    '/stats': (request, response) => sendStats(node, request, response),
  };
  const run = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = answers[pathOf(request)];
    if (answer === undefined) return sendEmpty(response, 404);
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendEmpty(response, 405, { allow: 'GET, HEAD' });
    await answer(request, response);
  };
  return (request, response) => {
    run(request, response).catch((error: unknown) => {
      node.report(error);
      response.destroy();
    });
  };
};
