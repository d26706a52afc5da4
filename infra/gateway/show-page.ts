/** Serves pages that lie ready: they cost less than counting who asks for them would. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendProblem } from '../http/answer';
import { noneMatches } from '../http/etag';
import { problem } from '../http/problem';
import type { Pages } from './pages';

/** Answers whether the path is one of our own. */
export const showPage = async (request: IncomingMessage, response: ServerResponse, pages: Pages): Promise<boolean> => {
  const [path = ''] = (request.url ?? '').split('?');
  const page = await pages(path);
  if (page === undefined) return false;
  const { status, headers, content } = page;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const refused = problem('method-not-allowed', 'Use GET, HEAD.');
    sendProblem(response, { ...refused, headers: { Allow: 'GET, HEAD' } });
    return true;
  }
  const unchanged = status === 200 && !noneMatches(request.headers['if-none-match'], headers.ETag);
  response.writeHead(unchanged ? 304 : status, headers);
  response.end(unchanged || request.method === 'HEAD' ? undefined : content);
  return true;
};
