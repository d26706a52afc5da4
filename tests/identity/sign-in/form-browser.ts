/** A browser without scripts: stores cookies, follows redirects, and submits forms of pages. */
import { beginConsolePath } from '../../../infra/server/http/identity/console-paths';
import type { startHttpService } from '../../support/http/http-service';

export interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Where it ended up. */
  readonly path: string;
}

const hidden = (text: string, action: string): Record<string, string> => {
  const form = text.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  const [inside = ''] = form.split('</form>');
  const inputs = [...inside.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const plain = (value: string) => value.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, plain(value)]));
};

type Call = Awaited<ReturnType<typeof startHttpService>>['call'];

export const openFormBrowser = (call: Call) => {
  const jar = new Map<string, string>();
  let last: Page = { status: 0, text: '', headers: new Headers(), path: '' };
  const keep = (headers: Headers): void => {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
  };
  const cookie = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const onward = ({ headers, text }: Page): string | undefined =>
    headers.get('location') ?? /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  const request = async (
    path: string,
    form?: Record<string, string>,
    more: Record<string, string> = {},
  ): Promise<Page> => {
    const own = { cookie: cookie(), 'x-forwarded-proto': 'https', 'x-forwarded-host': 'septet.example' };
    const where = {
      'x-forwarded-for': '192.0.2.7',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:1) Firefox/140.0',
    };
    const sent =
      form === undefined
        ? {}
        : { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', origin: 'null' };
    const answer = await call(path, {
      identity: 'anonymous',
      method: form === undefined ? 'GET' : 'POST',
      headers: { ...own, ...where, ...sent, ...more },
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
      redirect: 'manual',
    } as Parameters<Call>[1]);
    keep(answer.headers);
    last = { status: answer.status, text: await answer.text(), headers: answer.headers, path };
    return last;
  };
  const follow = async (page: Page): Promise<Page> => {
    const target = onward(page);
    // The gateway redirects people without rights in the console.
    const next = target === beginConsolePath ? '/account' : target;
    return next?.startsWith('/') && !next.startsWith('/oauth') && !next.startsWith('/console')
      ? follow(await request(next))
      : page;
  };
  return {
    jar,
    cookie,
    request,
    onward,
    open: async (path: string) => follow(await request(path)),
    /** The form with this action, as the page that is shown has it. */
    submit: async (action: string, fields: Record<string, string> = {}, more: Record<string, string> = {}) =>
      follow(await request(action, { ...hidden(last.text, action), ...fields }, more)),
    fields: (action: string) => hidden(last.text, action),
    page: () => last,
  };
};
export type FormBrowser = ReturnType<typeof openFormBrowser>;
