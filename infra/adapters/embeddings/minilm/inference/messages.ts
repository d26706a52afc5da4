/** Between a service and the process that runs the model. */

export type ToInference = { readonly kind: 'embed'; readonly texts: readonly string[] };

export type FromInference =
  | { readonly kind: 'ready' }
  /** In the order of the texts. */
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  /** The model refused; the process continues. */
  | { readonly kind: 'failed'; readonly error: string };
