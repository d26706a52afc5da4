/** Where the API has the text of a log: a document of its own, which the browser saves as it comes. */
import { readJobLog } from '../../../../packages/client/src/operations';
import { withQuery } from '../../kernel/router';

export const logTextPath = ({ jobId, attempt }: { readonly jobId: string; readonly attempt: number }): string =>
  withQuery(readJobLog.row.path.replace('{jobId}', encodeURIComponent(jobId)), {
    attempt: String(attempt),
    format: 'text',
  });
