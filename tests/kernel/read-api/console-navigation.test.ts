/** The order of the console's sidebar, and which of its links a page belongs to. */
import assert from 'node:assert/strict';
import { currentOf, type NavigationSection, navigationOf, targetsOf } from '../../../read-api/web/shell/navigation';

// Its types reach into the pages, which are compiled for browsers.
const { sectionList } = require('../../../read-api/web/shell/section-list') as {
  readonly sectionList: readonly NavigationSection[];
};

const section = (title: string, group: NavigationSection['group'], paths: readonly string[]): NavigationSection => ({
  title,
  group,
  links: paths.map((path) => ({ path, label: path, key: 'a' })),
});

describe("the console's sidebar", () => {
  it('has services before access before the platform, whatever the order of the sections', () => {
    const sections = [
      section('Platform', 'platform', ['/p']),
      section('Access', 'access', ['/a']),
      section('Films', 'services', ['/f']),
    ];
    assert.deepEqual(
      navigationOf(sections).groups.map(({ title }) => title),
      ['Services', 'Access', 'Platform'],
    );
  });

  it('has one line for a service, with its other pages below it, and leaves out what may not be seen', () => {
    const [services] = navigationOf([
      section('Films', 'services', ['/films', '/films/all']),
      section('Songs', 'services', []),
    ]).groups;
    assert.deepEqual(services?.items, [
      {
        id: 'Films',
        path: '/films',
        label: 'Films',
        links: [{ path: '/films/all', label: '/films/all', key: 'a' }],
      },
    ]);
    assert.deepEqual(navigationOf([section('Songs', 'services', [])]).groups, []);
  });

  it('begins with the start page, and names all links once', () => {
    const navigation = navigationOf(sectionList);
    const paths = targetsOf(navigation).map(({ path }) => path);
    assert.equal(paths[0], '/console/overview');
    assert.equal(new Set(paths).size, paths.length);
    const named = sectionList.flatMap(({ links, furtherLinks = [] }) => [
      ...links,
      ...furtherLinks.filter(({ below }) => below !== undefined),
    ]);
    assert.deepEqual(paths.toSorted(), named.map(({ path }) => path).toSorted());
  });

  it('opens pages below the one that they belong to, or gives them a line where that may not be seen', () => {
    const link = (path: string, below?: string) => ({ path, label: path, ...(below === undefined ? {} : { below }) });
    const itemsOf = (...paths: readonly string[]) => {
      const links = paths.map((path) => ({ ...link(path), key: 'a' }));
      const [access] = navigationOf([
        { ...section('Access', 'access', []), links, furtherLinks: [link('/rules', '/clients'), link('/found')] },
      ]).groups;
      return access?.items.map((item) => [item.path, item.links.map(({ path }) => path)]);
    };
    assert.deepEqual(itemsOf('/people', '/clients'), [
      ['/people', []],
      ['/clients', ['/rules']],
    ]);
    assert.deepEqual(itemsOf('/people'), [
      ['/people', []],
      ['/rules', []],
    ]);
  });

  it('fits in 900 pixels while no service is open', () => {
    const { start, groups } = navigationOf(sectionList);
    const rows = start.length + groups.flatMap(({ items }) => items).length + 1;
    // With all services. A row has 25 pixels, a heading 32; around them are 165.
    assert.ok(165 + groups.length * 32 + rows * 25 <= 900, `${rows} rows`);
  });

  it('marks the link that the page belongs to: of several the longest', () => {
    const navigation = navigationOf([section('Films', 'services', ['/films', '/films/all'])]);
    assert.equal(currentOf(navigation, '/films/all/f-1'), '/films/all');
    assert.equal(currentOf(navigation, '/films/new'), '/films');
    assert.equal(currentOf(navigation, '/filmsets'), undefined);
  });

  it('gives each link keys of its own', () => {
    const keys = sectionList.flatMap(({ links }) => links.map(({ key }) => key));
    assert.equal(new Set(keys).size, keys.length);
  });
});
