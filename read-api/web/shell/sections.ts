/** The sections that a principal may see, each with the links that it may see. */
import { may, type Who } from '../kernel/session';
import type { Link } from './navigation';
import type { Section } from './section';
import { sectionList } from './section-list';

export const sectionsFor = (who: Who): readonly Section[] =>
  sectionList
    .map((section) => {
      const isVisible = ({ scope = section.scope }: Pick<Link, 'scope'>): boolean => may(who, scope);
      const { links, furtherLinks = [] } = section;
      return { ...section, links: links.filter(isVisible), furtherLinks: furtherLinks.filter(isVisible) };
    })
    // A page that only a search finds has a section, too; one of the services begins with its own page.
    .filter(({ group, links, furtherLinks }) => links.length > 0 || (group !== 'services' && furtherLinks.length > 0));
