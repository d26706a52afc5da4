/** Forms as our pages send them: one text per name, from a page of ours, with the token that only that page had. */
import { timingSafeEqual } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { PageAnswer } from '../../../infra/http/route';
import { type Html, html } from './html';
import { failurePage } from './page';

export type Fields = { readonly [name: string]: string | undefined };
type Headers = { readonly [name: string]: string | undefined };

/** Everything that a query or a form can hold: faults are answered as pages, not as problems. */
export const LooseFields = new t.Type<Fields, Fields, unknown>(
  'Fields',
  t.UnknownRecord.is as (value: unknown) => value is Fields,
  (value, context) => {
    if (value === undefined) return t.success({});
    if (!t.UnknownRecord.is(value)) return t.failure(value, context);
    // Said twice, a name says nothing.
    return t.success(
      Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field === 'string')) as Fields,
    );
  },
  t.identity,
);

/** Whoever has one of these may act in a form: the session, or the visit before there is one. */
export interface FormToken {
  readonly csrf: string;
}

export const csrfField = ({ csrf }: FormToken): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

const isSameText = (one: string, other: string): boolean => {
  const [mine, theirs] = [Buffer.from(one), Buffer.from(other)];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
};

/** Our pages send no referrer, so browsers may call their origin `null`; then they say by `Sec-Fetch-Site` where from. */
const isCrossOrigin = (headers: Headers, own: readonly string[]): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return true;
  return origin !== undefined && origin !== 'null' && !own.includes(origin);
};

const crossOriginPage = (): PageAnswer =>
  failurePage(
    403,
    'This form is not ours',
    'It did not come from this page, or the page was open for too long. Go back, reload the page and try again.',
  );

export interface FormCheck {
  readonly token: FormToken | null;
  readonly headers: Headers;
  /** Where our pages are served. */
  readonly origins: readonly string[];
}

/** Left: the page to answer with; nothing may be done. */
export const checkCsrf = (fields: Fields, { token, headers, origins }: FormCheck): Either<PageAnswer, void> => {
  if (token === null || fields.csrf === undefined) return left(crossOriginPage());
  if (isCrossOrigin(headers, origins) || !isSameText(fields.csrf, token.csrf)) return left(crossOriginPage());
  return right(undefined);
};
