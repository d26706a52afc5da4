/** Pages of the section. One chunk, loaded with the first of them. */
export { PoliciesPage } from './policies-page';
export { RefusalsPage } from './refusals-page';
export { UsagePage } from './usage-page';
