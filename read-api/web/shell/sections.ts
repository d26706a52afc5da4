/** All sections of the console. The first link is the start page. */
import { editor } from '../editor/section';
import { identity } from '../identity/section';
import { may, type Who } from '../kernel/session';
import { platform } from '../platform/section';
import { ratelimit } from '../ratelimit/section';
import type { Section } from './section';

const sections: readonly Section[] = [platform, identity, editor, ratelimit];

export const sectionsFor = (who: Who): readonly Section[] =>
  sections
    .map((section) => ({ ...section, links: section.links.filter(({ scope = section.scope }) => may(who, scope)) }))
    .filter(({ links }) => links.length > 0);
