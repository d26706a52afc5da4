/** What events refer to that lies outside the log. A backup that lacks one of them fails. */

/** A blob in object storage by its key, a Git directory as `<tenant>/<repository>.git`, a signing key in the directory of keys by its id. */
export interface OutsideReference {
  readonly kind: 'blob' | 'repository' | 'signing-key';
  readonly name: string;
  /** What it is removed with, such as the stream of its aggregate. Nothing of an owner that was removed is expected any longer. */
  readonly owner: string;
}

export interface ReferenceChange {
  readonly added?: readonly OutsideReference[];
  /** Owners. */
  readonly removed?: readonly string[];
}

/** As it is stored: secret fields are sealed. */
export interface ReferringEvent {
  readonly stream: string;
  /** `<context>.<Event>.v<n>` */
  readonly type: string;
  readonly data: unknown;
}

/** Called once for each event, in the order of the log. Most events refer to nothing. */
export type ReferenceReader = (event: ReferringEvent) => ReferenceChange;

/** Each call reads a log from its beginning. */
export type OpenReferenceReader = () => ReferenceReader;

export const noReferences: ReferenceChange = {};
