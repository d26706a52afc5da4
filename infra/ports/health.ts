/** What a process says about itself: whether it takes work, and what stands in the way. */
export interface PartHealth {
  readonly ok: boolean;
  readonly detail?: string;
}

export interface Health {
  readonly ready: boolean;
  readonly parts: { readonly [part: string]: PartHealth };
}
