/** The contexts of the system. Adding one: a line here, and its folders. */
import { context as editor } from './editor/context';
import { context as geo } from './geo/context';
import { context as identity } from './identity/context';
import type { Context } from './kernel/context';
import { context as platform } from './platform/context';
import { context as privacy } from './privacy/context';
import { context as ratelimit } from './ratelimit/context';
import { context as workflow } from './workflow/context';

export const contexts: readonly Context[] = [identity, privacy, platform, ratelimit, editor, geo, workflow];
