/** Which sections somebody sees. */
import { may, type Who } from '../kernel/session';
import type { Section } from './section';
import { sections } from './sections';

export const sectionsFor = (who: Who): readonly Section[] => sections.filter(({ scope }) => may(who, scope));
