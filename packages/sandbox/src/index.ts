/** Sandboxes of this machine, and where an installation keeps them. */
export { openSandboxes } from './open-sandboxes';
export { sandboxDirectory } from './sandbox-directory';
