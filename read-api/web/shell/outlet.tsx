/** Renders the page of the current URL. Scripts of pages are loaded when they are first shown. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { EmptyState } from '../components/empty-state';
import { PageHeading } from '../components/page-heading';
import { matched } from '../kernel/path-pattern';
import { navigate, place } from '../kernel/router';
import type { Who } from '../kernel/session';
import { navigationOf, targetsOf } from './navigation';
import type { Page, PageProps } from './section';
import { sectionsFor } from './sections';
import { credentialSignInPath } from './sign-in';

const Begin = ({ path }: { readonly path: string }) => {
  useEffect(() => navigate(path, 'replace'), [path]);
  return null;
};

const Nowhere = () => (
  <>
    <PageHeading title="Page not found" />
    <EmptyState title="No page has this address">
      It may have moved, or you may not have access to it. <a href="/console">Start page</a>
    </EmptyState>
  </>
);

/** A new version of the console may have replaced the script; a reload of the document finds it. */
const LoadFailed = ({ retry }: { readonly retry: () => void }) => (
  <>
    <PageHeading title="This page could not be loaded" />
    <div class="notice bad" role="alert">
      <p>Check the connection and try again. If the console was updated, reload it.</p>
      <div class="actions">
        <button type="button" class="button small" onClick={retry}>
          Try again
        </button>
        <button type="button" class="button small" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </div>
  </>
);

const loadedPages = new WeakMap<Page, ComponentType<PageProps>>();

interface LazyPageProps extends PageProps {
  readonly page: Page;
}

const LazyPage = ({ page, params, query }: LazyPageProps) => {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const Show = loadedPages.get(page);
  useEffect(() => {
    if (Show !== undefined || state !== 'loading') return;
    page.load().then(
      (component) => {
        loadedPages.set(page, component);
        setState('loaded');
      },
      () => setState('failed'),
    );
  }, [page, Show, state]);
  if (Show !== undefined) return <Show params={params} query={query} />;
  if (state === 'failed') return <LoadFailed retry={() => setState('loading')} />;
  return <div class="skeleton" role="status" aria-label="Loading" />;
};

export const Outlet = ({ who }: { readonly who: Who }) => {
  const { path, query } = place.value;
  const sections = sectionsFor(who);
  const start = targetsOf(navigationOf(sections))[0]?.path;
  if (start !== undefined && (matched('/console', path) ?? matched(credentialSignInPath, path)) !== undefined)
    return <Begin path={start} />;
  for (const page of sections.flatMap(({ pages }) => pages)) {
    const params = matched(page.path, path);
    if (params === undefined) continue;
    // Each URL mounts a new page, even of the same component.
    return <LazyPage key={path} page={page} params={params} query={query} />;
  }
  return <Nowhere />;
};
