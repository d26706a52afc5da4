/** The contexts of the system. With a name here, what each side lists of contexts does not compile until it has that context, too. */
import { context as editor } from './editor/context';
import { context as files } from './files/context';
import { context as geo } from './geo/context';
import { context as identity } from './identity/context';
import type { Context } from './kernel/context';
import { context as platform } from './platform/context';
import { context as privacy } from './privacy/context';
import { context as ratelimit } from './ratelimit/context';
import { context as video } from './video/context';
import { context as webhooks } from './webhooks/context';
import { context as workflow } from './workflow/context';

const manifests = { identity, privacy, platform, ratelimit, editor, geo, workflow, files, video, webhooks } satisfies {
  readonly [name: string]: Context;
};

export const contexts: readonly Context[] = Object.values(manifests);

/** What every context brings to a side, or that it brings nothing. */
export type OfEachContext<Part> = { readonly [Name in keyof typeof manifests]: Part | 'none' };

/** In the order of the contexts. */
export const partsOf = <Part>(all: OfEachContext<Part>): readonly Part[] =>
  Object.keys(manifests).flatMap((name) => {
    const part = all[name as keyof typeof manifests];
    return part === 'none' ? [] : [part];
  });
