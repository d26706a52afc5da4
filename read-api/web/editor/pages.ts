/** Pages of the section. One chunk, loaded with the first of them. */
export { DocumentListPage } from './document-list';
export { DocumentPage } from './document-page';
export { VersionPage } from './version-page';
