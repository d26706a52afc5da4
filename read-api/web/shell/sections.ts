/** The sections that a principal may see. The first link is the start page. */
import { may, type Who } from '../kernel/session';
import type { Section } from './section';
import { sectionList } from './section-list';

export const sectionsFor = (who: Who): readonly Section[] =>
  sectionList
    .map((section) => ({ ...section, links: section.links.filter(({ scope = section.scope }) => may(who, scope)) }))
    .filter(({ links }) => links.length > 0);
