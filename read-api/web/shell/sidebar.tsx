/** Sidebar: the start page, groups that open and close, and the account, which stays in sight. */
import { useEffect, useId, useState } from 'preact/hooks';
import icon from '../icon.svg';
import { terminalPath } from '../identity/fixed-paths';
import { matched } from '../kernel/path-pattern';
import { may, type Who } from '../kernel/session';
import { AccountBar } from './account-bar';
import { currentOf, type NavigationGroup, type NavigationItem, navigationOf } from './navigation';
import { PaletteButton } from './palette/command-palette';
import { sectionsFor } from './sections';
import { openChoices, setOpen } from './sidebar-state';

interface Props {
  readonly who: Who;
  readonly path: string;
  readonly help: () => void;
}

/** What the open page belongs to. */
interface Here {
  readonly link: string | undefined;
  readonly section: string | undefined;
}

const NavigationLink = ({
  path,
  label,
  here,
}: {
  readonly path: string;
  readonly label: string;
  readonly here: Here;
}) => (
  <a href={path} {...(here.link === path ? { 'aria-current': 'page' as const } : {})}>
    {label}
  </a>
);

const Item = ({ item: { id, path, label, links }, here }: { readonly item: NavigationItem; readonly here: Here }) => {
  const listId = useId();
  if (links.length === 0)
    return (
      <li>
        <NavigationLink path={path} label={label} here={here} />
      </li>
    );
  const isWithin = [path, ...links.map((link) => link.path)].some((one) => one === here.link);
  const isOpen = openChoices.value[id] ?? (here.section === id || isWithin);
  return (
    <li>
      <div class="service">
        <NavigationLink path={path} label={label} here={here} />
        <button
          type="button"
          class="opener-arrow"
          aria-label={`Pages of ${label}`}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(id, !isOpen)}
        />
      </div>
      <ul id={listId} class="below-service" hidden={!isOpen}>
        {links.map((link) => (
          <li key={link.path}>
            <NavigationLink {...link} here={here} />
          </li>
        ))}
      </ul>
    </li>
  );
};

const isHere = ({ items }: NavigationGroup, { link, section }: Here): boolean =>
  items.some(({ id, path, links }) => id === section || path === link || links.some((one) => one.path === link));

const Group = ({ group, here }: { readonly group: NavigationGroup; readonly here: Here }) => {
  const listId = useId();
  const { id, title, items } = group;
  const isOpen = openChoices.value[id] ?? true;
  return (
    <div class="group">
      <h2>
        <button
          type="button"
          class={!isOpen && isHere(group, here) ? 'opener-arrow here' : 'opener-arrow'}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(id, !isOpen)}
        >
          {title}
        </button>
      </h2>
      <ul id={listId} hidden={!isOpen}>
        {items.map((item) => (
          <Item key={item.id} item={item} here={here} />
        ))}
      </ul>
    </div>
  );
};

const Sections = ({ who, path }: Omit<Props, 'help'>) => {
  const sections = sectionsFor(who);
  const navigation = navigationOf(sections);
  const section = sections.find(({ pages }) => pages.some((page) => matched(page.path, path) !== undefined));
  const ofService = section?.group === 'services' ? section.links[0]?.path : undefined;
  const here: Here = { link: currentOf(navigation, path) ?? ofService ?? path, section: section?.title };
  // In sight at any height: the README begins with it.
  const terminal = may(who, 'credentials:write') ? [{ path: terminalPath, label: 'Use the API from a terminal' }] : [];
  const begin = [...navigation.start, ...terminal];
  return (
    <nav aria-label="Sections">
      {begin.length > 0 && (
        <ul>
          {begin.map((link) => (
            <li key={link.path}>
              <NavigationLink path={link.path} label={link.label} here={here} />
            </li>
          ))}
        </ul>
      )}
      {navigation.groups.map((group) => (
        <Group key={group.id} group={group} here={here} />
      ))}
      <ul>
        <li>
          <a href="/docs">API documentation</a>
        </li>
      </ul>
    </nav>
  );
};

export const Sidebar = ({ who, path, help }: Props) => {
  const [isOpen, setMenuOpen] = useState(false);
  useEffect(() => {
    setMenuOpen(false);
    document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return (
    <header class={isOpen ? 'side open' : 'side'}>
      <div class="top">
        <a class="brand" href="/console/">
          <img src={icon} alt="" width="24" height="24" />
          Septet
        </a>
        <button
          type="button"
          class="button menu"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isOpen)}
        >
          Menu
        </button>
      </div>
      <div id="menu" class="menu-content">
        <PaletteButton />
        <Sections who={who} path={path} />
        <AccountBar who={who} help={help} />
      </div>
    </header>
  );
};
