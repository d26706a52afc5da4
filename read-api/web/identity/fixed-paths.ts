/** Paths of pages that manifests and other sections name. Imports nothing, because the bundler runs the manifests without a browser. */
export const terminalPath = '/console/terminal';
export const credentialsPath = '/console/credentials';
export const revokeTokenPath = '/console/tokens/revoke';
