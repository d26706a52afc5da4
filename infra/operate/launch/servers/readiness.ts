/** Whether a server that was started serves by now, and if not, what it is waited for to do: a slow server is no broken one. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly waitsFor: string };

export const ready: Readiness = { ready: true };

export const waitsFor = (what: string): Readiness => ({ ready: false, waitsFor: what });
