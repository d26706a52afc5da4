/** Router. The URL has the whole state of a view, for links, bookmarks and history. */
import { signal } from '@preact/signals';
import { noteFollowedLink } from './arrival';

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const placeNow = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const place = signal<Place>(placeNow());

const moved = (): void => {
  place.value = placeNow();
};

/** Whether the open document may not show the page at this path. */
let needsDocument: (path: string) => boolean = () => false;

/** Answers whether the open page may be left. */
let mayLeave: () => boolean = () => true;

/** Of the page that is open; the result releases it. */
export const guardLeaving = (guard: () => boolean): (() => void) => {
  mayLeave = guard;
  return () => {
    if (mayLeave === guard) mayLeave = () => true;
  };
};

export const navigate = (href: string, how: 'push' | 'replace' = 'push'): void => {
  if (needsDocument(new URL(href, location.href).pathname)) {
    noteFollowedLink();
    if (how === 'push') location.assign(href);
    else location.replace(href);
    return;
  }
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
  if (mayLeave()) navigate(link.href);
};

/** The browser has moved already, so a page that stays takes its address back. */
const traversed = (): void => {
  if (location.pathname === place.value.path || mayLeave()) {
    moved();
    return;
  }
  const query = place.value.query.toString();
  history.pushState(null, '', query === '' ? place.value.path : `${place.value.path}?${query}`);
};

/**
 * Intercepts clicks on plain links, so that pages need no link component. `needsOwnDocument`: of the pages that the open document must
 * leave to the browser to load.
 */
export const startRouter = (needsOwnDocument: (path: string) => boolean): void => {
  needsDocument = needsOwnDocument;
  addEventListener('popstate', traversed);
  document.addEventListener('click', followed);
};

/** A path with the query parameters that have a value. */
export const withQuery = (path: string, query: Readonly<Record<string, string>>): string => {
  const entries = Object.entries(query).filter(([, value]) => value !== '');
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
};

export const segment = encodeURIComponent;
