/** Which sections somebody sees. */
import { may, type Who } from '../kernel/session';
import type { Section } from './section';
import { sections } from './sections';

export const sectionsFor = (who: Who): readonly Section[] =>
  sections
    .map((section) => ({ ...section, links: section.links.filter(({ scope = section.scope }) => may(who, scope)) }))
    .filter(({ links }) => links.length > 0);
