/** Health of a process: whether it takes work, and the state of its parts. */
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
