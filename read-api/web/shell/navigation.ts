/** The sidebar's order: the start page, then the services, access, and the platform, with what the reader may see of each. */
export interface Link {
  readonly path: string;
  readonly label: string;
  /** After `g`: `s` for `g s`. */
  readonly key: string;
  /** Scope required to see the link; default: the section's. */
  readonly scope?: string;
  /** Other words that a person types for it into Ctrl-K. */
  readonly words?: readonly string[];
  /** Above all groups of the sidebar; the start page of principals with its scope. */
  readonly isStart?: true;
  /** The path of the link below which it opens. */
  readonly below?: string;
}

/** Without a line of its own: Ctrl-K finds it, and the link `below` which it opens, if any. */
export type FurtherLink = Omit<Link, 'key' | 'isStart'>;

/** What a person comes for: to use a service, to grant access, or to operate the platform. */
export type SectionGroup = 'services' | 'access' | 'platform';

type Target = Pick<Link, 'path' | 'label'>;

export interface NavigationItem extends Target {
  /** Remembers whether the item is open. */
  readonly id: string;
  /** Below the item; empty: it does not open. */
  readonly links: readonly Target[];
}

export interface NavigationGroup {
  readonly id: SectionGroup;
  readonly title: string;
  readonly items: readonly NavigationItem[];
}

interface Navigation {
  readonly start: readonly Target[];
  readonly groups: readonly NavigationGroup[];
}

const groupTitles: readonly (readonly [SectionGroup, string])[] = [
  ['services', 'Services'],
  ['access', 'Access'],
  ['platform', 'Platform'],
];

/** What the sidebar knows of a section. */
export interface NavigationSection {
  readonly title: string;
  readonly group: SectionGroup;
  /** The first is the section's own page. */
  readonly links: readonly Link[];
  readonly furtherLinks?: readonly FurtherLink[];
}

/** One line of a service, named as the service also where its own page is hidden. */
const serviceItem = ({ title, links }: NavigationSection): readonly NavigationItem[] => {
  const [own, ...others] = links;
  return own === undefined
    ? []
    : [{ id: title, path: own.path, label: others.length === 0 ? own.label : title, links: others }];
};

const itemsOf = (section: NavigationSection): readonly NavigationItem[] => {
  const links = section.links.filter(({ isStart }) => isStart !== true);
  if (section.group === 'services') return serviceItem({ ...section, links });
  const all: readonly FurtherLink[] = [...links, ...(section.furtherLinks ?? [])];
  // Below a link that the reader may not see, it has a line itself.
  const lines = all.filter((one) =>
    one.below === undefined ? links.some(({ path }) => path === one.path) : !all.some(({ path }) => path === one.below),
  );
  return lines.map(({ path, label }) => ({ id: path, path, label, links: all.filter(({ below }) => below === path) }));
};

/** `sections`: with the links that the reader may see. */
export const navigationOf = (sections: readonly NavigationSection[]): Navigation => ({
  start: sections.flatMap(({ links }) => links.filter(({ isStart }) => isStart === true)),
  groups: groupTitles
    .map(([id, title]) => ({
      id,
      title,
      items: sections.filter(({ group }) => group === id).flatMap(itemsOf),
    }))
    .filter(({ items }) => items.length > 0),
});

/** In the order in which a reader meets them. */
export const targetsOf = ({ start, groups }: Navigation): readonly Target[] => [
  ...start,
  ...groups.flatMap(({ items }) => items.flatMap(({ path, label, links }) => [{ path, label }, ...links])),
];

const isWithin = (link: string, path: string): boolean => path === link || path.startsWith(`${link}/`);

/** The link that the page belongs to: of several the longest. */
export const currentOf = (navigation: Navigation, path: string): string | undefined =>
  targetsOf(navigation)
    .map((target) => target.path)
    .filter((link) => isWithin(link, path))
    .toSorted((one, other) => other.length - one.length)[0];
