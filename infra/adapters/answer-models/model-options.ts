/** What every model service is opened with. */
export interface ModelOptions {
  /** Usually ends with `/v1`. Requests go there only; redirects are not followed. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  /** Of the answer. */
  readonly maxTokens: number;
  /** Of the sources in one prompt. */
  readonly maxSourceCharacters: number;
  readonly wholeMilliseconds?: number;
  readonly idleMilliseconds?: number;
}
