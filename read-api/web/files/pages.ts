/** Pages of the section. One chunk, loaded with the first of them. */
export { OrphansPage } from './administration/orphans-page';
export { UsagePage } from './administration/usage-page';
export { DeletionListPage } from './deletions/deletion-list';
export { DeletionPage } from './deletions/deletion-page';
export { FilePage } from './file/file-page';
export { GroupListPage } from './groups/group-list';
export { GroupPage } from './groups/group-page';
export { FolderPage, LibraryPage } from './library/library-page';
export { AnswerPage } from './retrieval/answer-page';
export { SearchPage } from './retrieval/search-page';
export { FolderSharingPage } from './sharing/folder-sharing-page';
export { TrashPage } from './trash/trash-page';
