/** What a service brings to the console: its links, and the pages behind them. */
import type { ComponentType } from 'preact';
import type { Params } from '../kernel/router';

export interface PageProps {
  readonly params: Params;
  readonly query: URLSearchParams;
}

export interface Page {
  /** `/console/streams/:stream` */
  readonly path: string;
  readonly show: ComponentType<PageProps>;
}

export interface Link {
  readonly path: string;
  readonly label: string;
  /** After `g`: `s` for `g s`. */
  readonly key: string;
  /** Whoever lacks it does not see the link; the section's where it is not said. */
  readonly scope?: string;
}

export interface Section {
  readonly title: string;
  /** Whoever sees none of its links does not see the section. */
  readonly scope: string;
  readonly links: readonly Link[];
  readonly pages: readonly Page[];
}
