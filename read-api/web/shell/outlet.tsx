/** Renders the page of the current URL. */
import { useEffect } from 'preact/hooks';
import { EmptyState } from '../components/empty-state';
import { PageHeading } from '../components/page-heading';
import { matched, navigate, place } from '../kernel/router';
import type { Who } from '../kernel/session';
import { sectionsFor } from './sections';

const Begin = ({ path }: { readonly path: string }) => {
  useEffect(() => navigate(path, 'replace'), [path]);
  return null;
};

const Nowhere = () => (
  <>
    <PageHeading title="Nothing here" />
    <EmptyState title="No page has this address">
      It may have moved, or is for others than you are signed in as.
    </EmptyState>
  </>
);

export const Outlet = ({ who }: { readonly who: Who }) => {
  const { path, query } = place.value;
  const sections = sectionsFor(who);
  const start = sections[0]?.links[0]?.path;
  if (start !== undefined && matched('/console', path) !== undefined) return <Begin path={start} />;
  for (const page of sections.flatMap(({ pages }) => pages)) {
    const params = matched(page.path, path);
    // Each URL mounts a new page, even of the same component.
    if (params !== undefined) return <page.show key={path} params={params} query={query} />;
  }
  return <Nowhere />;
};
