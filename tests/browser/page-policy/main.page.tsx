/** A console of test pages: the real router and rule of documents, without a session. */
import '../../../read-api/web/styles/main.css';
import { type ComponentType, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import icon from '../../../read-api/web/icon.svg';
import { matched } from '../../../read-api/web/kernel/path-pattern';
import { place, startRouter } from '../../../read-api/web/kernel/router';
import { needsOwnDocument } from '../../../read-api/web/shell/page-policy';
import type { PageProps } from '../../../read-api/web/shell/section';
import { sectionList } from './sections.page';

startRouter(needsOwnDocument(sectionList, location.pathname));

const App = () => {
  const { path, query } = place.value;
  const [Page, setPage] = useState<ComponentType<PageProps>>();
  useEffect(() => {
    const found = sectionList.flatMap(({ pages }) => pages).find((one) => matched(one.path, path) !== undefined);
    void found?.load().then((component) => setPage(() => component));
  }, [path]);
  if (Page === undefined) return <img alt="" src={icon} />;
  return <Page key={path} params={{}} query={query} />;
};

render(<App />, document.getElementById('root') as HTMLElement);
