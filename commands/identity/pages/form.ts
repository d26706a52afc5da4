/** Parses forms of the HTML pages and checks their CSRF token. */
import { timingSafeEqual } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { OriginMismatch } from '../../../infra/server/http/identity/origin-mismatch';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { type Html, html } from './html';
import { failurePage } from './page';

export type Fields = { readonly [name: string]: string | undefined };
type Headers = { readonly [name: string]: string | undefined };

/** Accepts every form: faults are reported as pages, not as problems. */
export const LooseFields = new t.Type<Fields, Fields, unknown>(
  'a form',
  t.UnknownRecord.is as (value: unknown) => value is Fields,
  (value, context) => {
    if (value === undefined) return t.success({});
    if (!t.UnknownRecord.is(value)) return t.failure(value, context);
    // Drops repeated names.
    return t.success(
      Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field === 'string')) as Fields,
    );
  },
  t.identity,
);

/** CSRF token of the session, or of the pre-session before sign-in. */
export interface FormToken {
  readonly csrf: string;
}

export const csrfField = ({ csrf }: FormToken): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

const isSameText = (one: string, other: string): boolean => {
  const [mine, theirs] = [Buffer.from(one), Buffer.from(other)];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
};

/** The pages send no referrer, so browsers may send `Origin: null`; then `Sec-Fetch-Site` decides. */
const isCrossOrigin = (headers: Headers, own: readonly string[]): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return true;
  return origin !== undefined && origin !== 'null' && !own.includes(origin);
};

const crossOriginPage = (): PageAnswer =>
  failurePage(
    403,
    'This form cannot be accepted',
    'The page was open for too long, or another site sent the form. Go back, reload the page and try again.',
  );

export interface FormCheck {
  readonly token: FormToken | null;
  readonly headers: Headers;
  readonly browsers: {
    /** Origins of the pages. */
    readonly origins: readonly string[];
    readonly originMismatch?: OriginMismatch;
  };
}

/** Left: the error page; the form must not take effect. */
export const checkCsrf = (fields: Fields, { token, headers, browsers }: FormCheck): Either<PageAnswer, void> => {
  browsers.originMismatch?.observe(headers);
  if (token === null || fields.csrf === undefined) return left(crossOriginPage());
  if (isCrossOrigin(headers, browsers.origins) || !isSameText(fields.csrf, token.csrf)) return left(crossOriginPage());
  return right(undefined);
};
