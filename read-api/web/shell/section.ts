/** Manifest of a section of the console: links and pages. */
import type { ComponentType } from 'preact';
import type { Params } from '../kernel/router';

export interface PageProps {
  readonly params: Params;
  readonly query: URLSearchParams;
}

export interface Page {
  /** `/console/streams/:stream` */
  readonly path: string;
  /** Loads the script that contains the page. */
  readonly load: () => Promise<ComponentType<PageProps>>;
}

export interface Link {
  readonly path: string;
  readonly label: string;
  /** After `g`: `s` for `g s`. */
  readonly key: string;
  /** Scope required to see the link; default: the section's. */
  readonly scope?: string;
}

export interface Section {
  readonly title: string;
  /** Hidden when all of its links are hidden. */
  readonly scope: string;
  readonly links: readonly Link[];
  readonly pages: readonly Page[];
}
