/** The owner of a document, for requests: this process, or the one that has it, which is asked in the caller's name. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Act } from '../../../../domain/editor/document/rights';
import type { DocumentId } from '../../../../domain/editor/ids';
import type { DocumentKey } from '../../../../domain/editor/streams';
import { identityHeader } from '../../../../infra/http/identity';
import { type Problem, problem } from '../../../../infra/http/problem';
import type { Answer, RouteRequest } from '../../../../infra/http/route';
import type { Random } from '../../../../infra/ports/random';
import { passedHeader } from '../../../../infra/ws/pass-on';
import { allowed } from '../../history/common';
import type { OpenDocument } from '../../owner/types';
import type { SessionDeps } from '../deps';

export interface OwnerDeps
  extends Pick<SessionDeps, 'documents' | 'access' | 'allowances' | 'clientIds' | 'figures' | 'clock'> {
  readonly random: Random;
}

export type Asked = Pick<
  RouteRequest<{ readonly documentId: DocumentId }, unknown, unknown>,
  'identity' | 'headers' | 'target' | 'params' | 'signal'
>;

export interface Elsewhere {
  readonly place: DocumentKey;
  readonly address: string;
}

const unavailable = (detail: string): Either<Problem, never> => left(problem('service-unavailable', detail));

export const ownedBy = async (
  deps: OwnerDeps,
  { identity, headers, params: { documentId } }: Asked,
  act: Act,
): Promise<Either<Problem, OpenDocument | Elsewhere>> => {
  const found = await allowed(deps, { identity, documentId }, act);
  if (isLeft(found)) return found;
  const opened = await deps.documents.open(found.right.place);
  if (!isLeft(opened)) return opened;
  if (opened.left.kind !== 'elsewhere') return unavailable(opened.left.detail);
  // Once is enough, whatever is believed of where it belongs.
  if (headers[passedHeader] !== undefined) return unavailable('The document is changing hands; try again.');
  return right({ place: found.right.place, address: opened.left.address });
};

export interface Passed {
  readonly body: unknown;
  readonly headers?: { readonly [name: string]: string };
}

const longestMilliseconds = 30_000;
const shownHeaders = ['retry-after', 'idempotency-key'];

const headersOf = ({ headers }: Response): { readonly [name: string]: string } =>
  Object.fromEntries(shownHeaders.flatMap((name) => [[name, headers.get(name)]]).filter(([, value]) => value !== null));

const isRefused = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

const gone = 'The document’s owner does not answer; send the same again.';

/** Where nobody listens it has ended: this process takes its place before the same comes again. */
const notAnswered = async ({ documents }: OwnerDeps, { place, address }: Elsewhere, error: unknown) => {
  if (isRefused(error)) await documents.open(place, address);
  return problem('service-unavailable', gone);
};

/** Whatever it answers is the answer; where it answers nothing, nobody knows what became of it. */
export const askOwner = async (
  deps: OwnerDeps,
  { headers: received, target, signal }: Asked,
  [elsewhere, { body, headers = {} }]: readonly [Elsewhere, Passed],
): Promise<Answer> => {
  try {
    const answer = await fetch(new URL(target, elsewhere.address), {
      method: 'POST',
      headers: {
        ...headers,
        ...{ 'content-type': 'application/json', [passedHeader]: '1' },
        // The gateway's own word for who calls: no copy of the editor can give another.
        [identityHeader]: received[identityHeader] ?? '',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMilliseconds)]),
    });
    const content = (await answer.json()) as Problem['problem'];
    const shown = headersOf(answer);
    return answer.ok ? { status: answer.status, body: content, headers: shown } : { problem: content, headers: shown };
  } catch (error) {
    return notAnswered(deps, elsewhere, error);
  }
};
