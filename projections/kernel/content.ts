/** Rows that are made of content in object storage. An event names the content by key and SHA-256; the projector loads it to apply the event. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { decodeStored } from '../../domain/kernel/codec';
import type { BlobStore } from '../../infra/ports/blob-store';
import type { Change } from '../../infra/ports/views/view-store';
import { sentenceOf } from './recorded-event';

/** Where content is read from. */
export type ContentSource = Pick<BlobStore, 'get'>;

export interface ContentReference {
  readonly key: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly size: number;
}

/** A change of a projection, beside those of rows. */
export interface ContentRows<Allowed> {
  readonly kind: 'content';
  readonly references: readonly ContentReference[];
  /** Of the contents in the order of the references; or why there are none, without quoting the content. */
  readonly rows: (contents: readonly Buffer[]) => Either<string, readonly Allowed[]>;
  /** The rows where content was deleted since. Left out, the view stops there, as it does at altered content. */
  readonly missing?: readonly Allowed[];
}

export const isContent = <Allowed extends Change>(
  change: Allowed | ContentRows<Allowed>,
): change is ContentRows<Allowed> => change.kind === 'content';

/** Of one JSON document. */
export const rowsFromJson = <Content, Allowed>(
  reference: ContentReference,
  codec: t.Type<Content, unknown>,
  { rows, missing }: { readonly rows: (content: Content) => readonly Allowed[]; readonly missing?: readonly Allowed[] },
): readonly ContentRows<Allowed>[] => [
  {
    kind: 'content',
    references: [reference],
    rows: ([bytes]) => {
      const content = contentFromJson(codec, bytes);
      return isLeft(content) ? content : right(rows(content.right));
    },
    ...(missing === undefined ? {} : { missing }),
  },
];

/** Why it is none does not quote the content. */
export const contentFromJson = <Content>(
  codec: t.Type<Content, unknown>,
  bytes: Buffer | undefined,
): Either<string, Content> => {
  const parsed = parse(bytes ?? Buffer.alloc(0));
  if (isLeft(parsed)) return parsed;
  const content = decodeStored(codec, parsed.right);
  return isLeft(content) ? left(sentenceOf(content.left)) : content;
};

const parse = (bytes: Buffer): Either<string, unknown> => {
  try {
    return right(JSON.parse(bytes.toString('utf8')));
  } catch {
    return left('it is not JSON');
  }
};
