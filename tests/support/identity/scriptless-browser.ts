/** A browser without scripts: stores cookies, follows redirects and links, and submits forms. */
export interface Page {
  readonly status: number;
  readonly url: URL;
  readonly text: string;
}

/** It left for an address that is not of the site. */
export interface LeftSite {
  readonly left: URL;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const mostSteps = 20;

const plain = (markup: string): string =>
  markup.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<');

const onwardOf = (text: string): string | undefined => {
  const [, target] = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text) ?? [];
  return target === undefined ? undefined : plain(target);
};

const hiddenIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      plain(value),
    ]),
  );

export const openScriptlessBrowser = (site: string, fetch: Fetch, cookies: ReadonlyMap<string, string> = new Map()) => {
  const jar = new Map(cookies);
  const keep = (response: Response): void => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/max-age=0/i.test(line)) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
  };
  const once = async (url: URL, init: RequestInit): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string> | undefined), ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url.href, { ...init, headers, redirect: 'manual' });
    keep(response);
    return response;
  };
  const go = async (target: string | URL, init: RequestInit = {}, steps = mostSteps): Promise<Page | LeftSite> => {
    const url = new URL(target, site);
    if (url.origin !== new URL(site).origin) return { left: url };
    if (steps === 0) throw new Error(`${url.pathname} leads round and round`);
    const response = await once(url, init);
    const location = response.headers.get('location');
    if (location !== null) return go(new URL(location, url), {}, steps - 1);
    const text = await response.text();
    const onward = onwardOf(text);
    return onward === undefined ? { status: response.status, url, text } : go(onward, {}, steps - 1);
  };
  /** Sends the page's first form, or the one that leads to `target`, with what the page holds and what was filled in. */
  const press = ({ url, text }: Page, filled: Record<string, string>, target?: string): Promise<Page | LeftSite> => {
    const [, first = url.href] = /<form [^>]*method="post" action="([^"]*)"/.exec(text) ?? [];
    const action = target ?? first;
    const body = new URLSearchParams({ ...hiddenIn(text), ...filled }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(site).origin };
    return go(new URL(plain(action), url), { method: 'POST', headers, body });
  };
  return { go, press };
};

export type ScriptlessBrowser = ReturnType<typeof openScriptlessBrowser>;
