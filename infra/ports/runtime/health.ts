/** What a process says about itself: whether it takes work, and what stands in the way. */
export interface PartHealth {
  readonly ok: boolean;
  readonly detail?: string;
  /** When it was first seen not to be ok. */
  readonly since?: string;
}

export interface Health {
  readonly ready: boolean;
  readonly parts: { readonly [part: string]: PartHealth };
}
