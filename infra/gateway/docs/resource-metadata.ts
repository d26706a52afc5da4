/** Metadata of Septet's own API as a protected resource (RFC 9728), for the whole API and for each path of it. */
import { proofAlgorithms, resourceMetadataPath } from '../../../packages/resource-server/src/verification/index';

/**
 * Undefined: the path is not one of metadata. Section 3.3: `resource` is what the well-known path was inserted into. Scopes are left out: clients
 * that find a list request all of it, and an application does not need the whole administration; challenges name what a route requires.
 */
export const resourceMetadataAt = (path: string, issuer: string): object | undefined => {
  if (path !== resourceMetadataPath && !path.startsWith(`${resourceMetadataPath}/`)) return undefined;
  const resource = path.slice(resourceMetadataPath.length);
  return {
    resource: `${issuer}${resource === '/' ? '' : resource}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: proofAlgorithms,
    tls_client_certificate_bound_access_tokens: true,
    resource_name: 'Septet',
    resource_documentation: `${issuer}/docs`,
  };
};
