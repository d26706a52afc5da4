/** What the runner and its workers send each other. */

export type StoreName = 'postgres' | 'valkey' | 'elasticsearch';

/** What all files of a run use together: an address, or for the running system a `SharedSystem` as JSON. */
export type SharedName = StoreName | 'browser' | 'system';

export interface TestResult {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  /** Of a failure: its message and stack. */
  readonly error?: string;
}

export interface FileResult {
  readonly results: readonly TestResult[];
  /** Why tests of the file were skipped. */
  readonly skipReasons: readonly string[];
}

export type ToWorker =
  | {
      readonly kind: 'run';
      readonly path: string;
      readonly number: number;
      readonly size: string;
      readonly testMilliseconds: number;
      /** Loads the file and looks for what it declares, and runs nothing. */
      readonly isPlanOnly: boolean;
    }
  | {
      readonly kind: 'shared';
      readonly name: SharedName;
      readonly value?: string;
      readonly error?: string;
      /** Why this machine cannot have it. */
      readonly missing?: string;
    };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'want'; readonly name: SharedName }
  | { readonly kind: 'begin'; readonly title: string }
  | { readonly kind: 'result'; readonly result: TestResult }
  | { readonly kind: 'done'; readonly skipReasons: readonly string[] };
