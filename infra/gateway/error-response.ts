/** Errors of the gateway itself: problem+json for programs, an HTML page for browser navigations. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '../server/http/problem';
import { rejectUnreadRequest, sendUnread } from '../server/http/server/lingering-close';
import { pageHeaders, renderErrorPage, renderUnknownPage } from './html-page';
import { modelProblem } from './models/errors';
import { isModelPath } from './models/routes';
import { noteProblem } from './refusals/refusal-notes';
import { resolveDestination } from './routing/destinations';
import { allowReadingError } from './security-headers';

/** Scripts of the console fetch `/console/session`; browsers navigate to `/console/session/begin`. */
const consolePage = /^\/console(?:[/?]|$)(?!session(?:\?|$))/;

const isPage = ({ method = '', url = '' }: IncomingMessage): boolean =>
  resolveDestination(method, url)?.browser === true || consolePage.test(url);

/** Accepts `text/html` and has the fetch mode `navigate`; scripts of a page send other modes. */
const isOfBrowser = ({ headers: { accept = '', 'sec-fetch-mode': mode = 'navigate' } }: IncomingMessage): boolean =>
  mode === 'navigate' && /(?:^|[\s,])text\/html(?:[\s,;]|$)/i.test(accept);

export const isNavigation = (request: IncomingMessage): boolean => isOfBrowser(request) && isPage(request);

/** An address that nothing answers may have been meant for a page. */
const isLostNavigation = (request: IncomingMessage, { problem }: Problem): boolean =>
  problem.code === 'not-found' && isOfBrowser(request) && resolveDestination('GET', request.url ?? '') === undefined;

/** The page does not name the unavailable service: people cannot act on it. */
const errorPageOf = ({ status, title, detail }: Problem['problem']): string => {
  if (status === 404) return renderUnknownPage();
  return status < 500
    ? renderErrorPage(title, detail)
    : renderErrorPage('Not right now', 'A required service is unavailable at the moment. Try again soon.');
};

export const sendError = (response: ServerResponse, refused: Problem): void => {
  const { problem, headers } = refused;
  noteProblem(response.req, refused);
  allowReadingError(response);
  if (isModelPath(response.req.url ?? '')) rejectUnreadRequest(response, modelProblem(refused));
  else if (isLostNavigation(response.req, refused))
    sendUnread(response, { status: 404, headers: { ...headers, ...pageHeaders }, text: renderUnknownPage() });
  else if (!isNavigation(response.req)) rejectUnreadRequest(response, refused);
  else
    sendUnread(response, {
      status: problem.status,
      headers: { ...headers, ...pageHeaders },
      text: errorPageOf(problem),
    });
};
