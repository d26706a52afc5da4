/** The headers of every command: its name, and what its caller believes the resource to be. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { InputFault } from '../../domain/kernel/codec';
import { invalidInput, type Problem } from '../../infra/server/http/problem';

export interface CommandHeaders {
  readonly key: string | undefined;
  readonly ifMatch: number | 'any' | undefined;
}

type Headers = { readonly [name: string]: string | undefined };
type Read<Value> = Either<InputFault, Value | undefined>;

const printable = /^[\x20-\x7e]{1,128}$/;
const entityTag = /^(?:W\/)?"(\d{1,15})"$/;
/** As HTTP hands it over, without spaces at its ends. */
const printablePattern = '^[!-~](?:[ -~]{0,126}[!-~])?$';
const entityTagPattern = '^(?:\\*|(?:W/)?"[0-9]{1,15}")$';

const malformed = (name: string, expected: string) => left({ pointer: `/headers/${name}`, expected });

const readKey = (value: string | undefined): Read<string> =>
  value === undefined || printable.test(value)
    ? right(value)
    : malformed('Idempotency-Key', '1 to 128 printable ASCII characters');

const readIfMatch = (value: string | undefined): Read<number | 'any'> => {
  if (value === undefined) return right(undefined);
  if (value.trim() === '*') return right('any');
  const [, revision] = entityTag.exec(value.trim()) ?? [];
  return revision === undefined ? malformed('If-Match', 'one ETag of the resource, or *') : right(Number(revision));
};

export const commandHeaders = (headers: Headers): Either<Problem, CommandHeaders> => {
  const key = readKey(headers['idempotency-key']);
  const ifMatch = readIfMatch(headers['if-match']);
  const faults = [key, ifMatch].flatMap((read) => (isLeft(read) ? [read.left] : []));
  if (isLeft(key) || isLeft(ifMatch)) return left(invalidInput(faults));
  return right({ key: key.right, ifMatch: ifMatch.right });
};

export const commandHeaderDocs = [
  {
    name: 'Idempotency-Key',
    description:
      'Identifies the command: a retry under the same key has no further effect and gets the same answer. ' +
      'Generated, and returned, when absent.',
    pattern: printablePattern,
  },
  {
    name: 'If-Match',
    description: 'The ETag that the resource must still have; 412 otherwise.',
    pattern: entityTagPattern,
  },
] as const;
