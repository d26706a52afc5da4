/** The page that the address names. */
import { useEffect } from 'preact/hooks';
import { matched, navigate, place } from '../kernel/router';
import type { Who } from '../kernel/session';
import { Empty } from '../parts/empty';
import { Heading } from '../parts/heading';
import { sectionsFor } from './visible';

const Begin = ({ path }: { readonly path: string }) => {
  useEffect(() => navigate(path, 'replace'), [path]);
  return null;
};

const Nowhere = () => (
  <>
    <Heading title="Nothing here" />
    <Empty title="No page has this address">It may have moved, or is for others than you are signed in as.</Empty>
  </>
);

export const Outlet = ({ who }: { readonly who: Who }) => {
  const { path, query } = place.value;
  const sections = sectionsFor(who);
  const start = sections[0]?.links[0]?.path;
  if (start !== undefined && matched('/console', path) !== undefined) return <Begin path={start} />;
  for (const page of sections.flatMap(({ pages }) => pages)) {
    const params = matched(page.path, path);
    // Another address is another page, even where it is shown alike.
    if (params !== undefined) return <page.show key={path} params={params} query={query} />;
  }
  return <Nowhere />;
};
