/** What a token can be used with only: the key of a DPoP proof (RFC 9449), or a client certificate (RFC 8705). */
export type Binding = { readonly kind: 'dpop'; readonly jkt: string } | { readonly kind: 'tls'; readonly x5t: string };

export type Confirmation = { readonly jkt: string } | { readonly 'x5t#S256': string };

export const confirmationOf = (binding: Binding): Confirmation =>
  binding.kind === 'dpop' ? { jkt: binding.jkt } : { 'x5t#S256': binding.x5t };

/** As events record it. */
export const thumbprintsOf = (binding: Binding | null) => ({
  jkt: binding?.kind === 'dpop' ? binding.jkt : null,
  x5t: binding?.kind === 'tls' ? binding.x5t : null,
});

/** RFC 9449 section 5; what is bound to a certificate is a bearer token by name. */
export const tokenTypeOf = (binding: Binding | null): 'Bearer' | 'DPoP' =>
  binding?.kind === 'dpop' ? 'DPoP' : 'Bearer';
