/** What the gateway refuses by itself: a problem for programs, a page for people who were on their way to one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerUnread, sendUnread } from '../http/linger';
import type { Problem } from '../http/problem';
import { pageHeaders, renderErrorPage } from './html-page';
import { modelProblem } from './models/errors';
import { isModelPath } from './models/routes';
import { resolveDestination } from './routing';
import { allowReadingError } from './security-headers';

/** Its scripts ask at `/console/session`; where a session begins, browsers are led to. */
const consolePage = /^\/console(?:[/?]|$)(?!session(?:\?|$))/;

const isPage = ({ method = '', url = '' }: IncomingMessage): boolean =>
  resolveDestination(method, url)?.browser === true || consolePage.test(url);

/** Only browsers that show what comes name HTML; a script of a page says that it is none. */
export const isNavigation = (request: IncomingMessage): boolean => {
  const { accept = '', 'sec-fetch-mode': mode = 'navigate' } = request.headers;
  return mode === 'navigate' && /(?:^|[\s,])text\/html(?:[\s,;]|$)/i.test(accept) && isPage(request);
};

/** Which part of us is away is nothing that helps whoever reads it. */
const errorPageOf = ({ status, title, detail }: Problem['problem']): string =>
  status < 500
    ? renderErrorPage(title, detail)
    : renderErrorPage('Not right now', 'Something that this needs is away at the moment. Try again soon.');

export const sendError = (response: ServerResponse, refused: Problem): void => {
  const { problem, headers } = refused;
  allowReadingError(response);
  if (isModelPath(response.req.url ?? '')) answerUnread(response, modelProblem(refused));
  else if (!isNavigation(response.req)) answerUnread(response, refused);
  else
    sendUnread(response, {
      status: problem.status,
      headers: { ...headers, ...pageHeaders },
      text: errorPageOf(problem),
    });
};
