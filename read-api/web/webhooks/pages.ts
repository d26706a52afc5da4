/** The pages of webhooks. One chunk, loaded with the first of them. */
export { EndpointListPage } from './endpoint-list';
export { EndpointPage } from './endpoint-page';
