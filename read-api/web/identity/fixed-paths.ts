/** Paths of pages that manifests and other sections name. Imports nothing, because the bundler runs the manifests without a browser. */
export const terminalPath = '/console/terminal';
export const delegationsPath = '/console/delegations';
export const agentActionsPath = '/console/agent-actions';
export const approvalsPath = '/console/approvals';
export const credentialsPath = '/console/credentials';
export const apisPath = '/console/apis';
export const trustRulesPath = '/console/trust-rules';
export const policyPath = '/console/policy';
export const revokeTokenPath = '/console/tokens/revoke';
export const detectionPath = '/console/detection';
export const incidentsPath = '/console/incidents';
export const authEventsPath = '/console/authorization-decisions';
