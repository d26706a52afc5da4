export const ImportListPage = () => null;
export const ImportPage = () => null;
