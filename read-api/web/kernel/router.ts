/** Router. The URL has the whole state of a view, for links, bookmarks and history. */
import { signal } from '@preact/signals';

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

export type Params = Readonly<Record<string, string>>;

const placeNow = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const place = signal<Place>(placeNow());

const moved = (): void => {
  place.value = placeNow();
};

export const navigate = (href: string, how: 'push' | 'replace' = 'push'): void => {
  if (how === 'push') history.pushState(null, '', href);
  else history.replaceState(null, '', href);
  moved();
};

const isOurs = ({ origin, pathname }: HTMLAnchorElement): boolean =>
  origin === location.origin && pathname.startsWith('/console');

const followed = (event: MouseEvent): void => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || !isOurs(link) || link.target !== '' || link.hasAttribute('download')) return;
  // The browser handles anchors within a page.
  if (link.hash !== '' && link.pathname === location.pathname) return;
  event.preventDefault();
  navigate(link.href);
};

/** Intercepts clicks on plain links, so that pages need no link component. */
export const startRouter = (): void => {
  addEventListener('popstate', moved);
  document.addEventListener('click', followed);
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Parameters of a path by a pattern like `/console/streams/:stream`; undefined: no match. */
export const matched = (pattern: string, path: string): Params | undefined => {
  const patternParts = pattern.split('/');
  const pathParts = path.replace(/\/+$/, '').split('/');
  if (patternParts.length !== pathParts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of patternParts.entries()) {
    const value = decoded(pathParts[index] ?? '');
    if (value === undefined) return undefined;
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
};

/** A path with the query parameters that have a value. */
export const withQuery = (path: string, query: Readonly<Record<string, string>>): string => {
  const entries = Object.entries(query).filter(([, value]) => value !== '');
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
};

export const segment = encodeURIComponent;
