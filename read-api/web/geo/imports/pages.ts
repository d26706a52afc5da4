/** Pages of imports. One chunk, without the map. */
export { ImportListPage } from './import-list';
export { ImportPage } from './import-page';
