/** What the stages of the gateway know about the refusal of a request, until it is reported. */
import type { IncomingMessage } from 'node:http';
import type { Problem } from '../../server/http/problem';
import { type RefusalNote, refusalNoteOf } from '../../server/http/refusal-note';
import type { Identity } from '../../server/http/routing/route';

const notes = new WeakMap<IncomingMessage, RefusalNote>();

export const refusalNoteFor = (request: IncomingMessage): RefusalNote | undefined => notes.get(request);

/** Later notes complete earlier ones. */
export const noteRefusal = (request: IncomingMessage, note: RefusalNote): void => {
  notes.set(request, { ...notes.get(request), ...note });
};

export const noteProblem = (request: IncomingMessage, refused: Problem): void => {
  const note = refusalNoteOf(refused);
  if (note !== undefined) noteRefusal(request, note);
};

type Caller = Pick<Identity, 'tenantId' | 'principalId' | 'clientId'>;

/** Of a caller whose token was verified. */
export const verifiedCallerNote = ({ tenantId, principalId, clientId }: Caller): RefusalNote => ({
  tenantId,
  principalId,
  ...(clientId === undefined ? {} : { clientId }),
  isProven: true,
});
