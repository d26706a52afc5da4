/** All sections of the console, in the order in which pages are looked for. Read by the bundler, too: it loads no page. */
import { editor } from '../editor/section';
import { files } from '../files/section';
import { geo } from '../geo/section';
import { identity } from '../identity/section';
import { platform } from '../platform/section';
import { ratelimit } from '../ratelimit/section';
import { video } from '../video/section';
import { webhooks } from '../webhooks/section';
import { workflow } from '../workflow/section';
import type { Section } from './section';

export const sectionList: readonly Section[] = [
  platform,
  identity,
  editor,
  files,
  video,
  geo,
  workflow,
  webhooks,
  ratelimit,
];
