/** Manifest of a section of the console: links and pages. */
import type { ComponentType } from 'preact';
import type { Params } from '../kernel/path-pattern';
import type { FurtherLink, Link, SectionGroup } from './navigation';

export interface PageProps {
  readonly params: Params;
  readonly query: URLSearchParams;
}

/**
 * What the document of a page may do beyond the usual policy, which allows the console's own scripts, styles, images, media and requests, and
 * no workers. Pages of another policy are loaded as documents of their own, so declare it on pages, not on all of a section.
 */
export interface PagePolicy {
  /** Images that the page makes (`blob:`). */
  readonly blobImages?: true;
  /** Audio and video that the page makes, as Media Source Extensions do (`blob:`). */
  readonly blobMedia?: true;
  /** `own`: the console's `*.worker.ts`; `blob`: also text that the page makes. See `kernel/worker.ts`. */
  readonly workers?: 'own' | 'blob';
  /** Compiles WebAssembly. Nothing else becomes code. */
  readonly webAssembly?: true;
  /** Uploads to the object store, and shows its images and media, where clients reach it at an origin of its own. */
  readonly objectStore?: true;
}

export interface Page {
  /** `/console/streams/:stream` */
  readonly path: string;
  readonly policy?: PagePolicy;
  /** Loads the script that contains the page. */
  readonly load: () => Promise<ComponentType<PageProps>>;
}

export interface Section {
  readonly title: string;
  /** Where it stands in the sidebar. A section of the services is one line there, and its links below the first one open under it. */
  readonly group: SectionGroup;
  /** Hidden when all of its links are hidden. */
  readonly scope: string;
  /** The first is the section's own page: what matters there. */
  readonly links: readonly Link[];
  /** Pages that have no line of their own in the sidebar; Ctrl-K finds them. */
  readonly furtherLinks?: readonly FurtherLink[];
  readonly pages: readonly Page[];
}
