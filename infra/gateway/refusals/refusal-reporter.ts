/**
 * Reports every refused request (401, 403, 429, and refusals of OAuth): a line in the gateway's log, and the list of refused requests that operators
 * search. Nothing waits for it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RefusedRequestRecorder } from '../../ports/identity/refused-requests';
import type { Log } from '../../ports/runtime/log';
import { boundedLines } from '../../server/runtime/bounded-lines';
import { requestIdOf } from '../security-headers';
import { refusalNoteFor } from './refusal-notes';

export interface RefusalReporter {
  /** Reports the request when it has been answered, if that was a refusal. */
  readonly observe: (response: ServerResponse) => void;
  /** The same for a WebSocket handshake, which has no response object. */
  readonly handshakeRefused: (request: IncomingMessage, status: number) => void;
}

export interface RefusalReporterOptions {
  /** Undefined: without Redis there is no list. */
  readonly record?: RefusedRequestRecorder['record'] | undefined;
  /** The template of a request's path; undefined: no route is known. */
  readonly templateOf: (request: IncomingMessage) => string | undefined;
  readonly log: Pick<Log, 'info'>;
}

const refusingStatuses = new Set([401, 403, 429]);

const usualNotes: { readonly [status: number]: { readonly code: string; readonly reason: string } } = {
  401: { code: 'unauthenticated', reason: 'The request was not authenticated.' },
  403: { code: 'forbidden', reason: 'The caller may not do this.' },
  429: { code: 'rate_limited', reason: 'There were too many requests.' },
};

/** A step of the protocol, which clients take by themselves (RFC 9449 section 9). */
const demandsNonce = (response: ServerResponse): boolean =>
  String(response.getHeader('WWW-Authenticate')).includes('error="use_dpop_nonce"');

/** The first segment only: the rest of an unknown path may be anything. */
const firstSegmentOf = ({ url = '' }: IncomingMessage): string => {
  const [, first = ''] = /^\/([a-z][a-z-]{0,31})(?=[/?]|$)/.exec(url) ?? [];
  return `/${first}${url.length > first.length + 1 ? '/…' : ''}`;
};

export const createRefusalReporter = ({ record, templateOf, log }: RefusalReporterOptions): RefusalReporter => {
  const writeLine = boundedLines((fields) => log.info(fields, 'request refused'));
  const report = (request: IncomingMessage, status: number): void => {
    const note = refusalNoteFor(request);
    if (note === undefined && !refusingStatuses.has(status)) return;
    const { tenantId = null, principalId = null, clientId = null, isProven = false, ...rest } = note ?? {};
    const { code = 'forbidden', reason = '' } = { ...usualNotes[status], ...rest };
    const { method = '' } = request;
    const route = templateOf(request) ?? firstSegmentOf(request);
    const requestId = requestIdOf(request);
    const refused = { tenantId, principalId, clientId, isProven, method, route, status, code, reason, requestId };
    writeLine(refused);
    record?.(refused);
  };
  return {
    observe: (response) => {
      response.once('close', () => {
        if (response.statusCode < 400 || demandsNonce(response)) return;
        report(response.req, response.statusCode);
      });
    },
    handshakeRefused: report,
  };
};
