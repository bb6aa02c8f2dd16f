export { createFolderFileStore, type FolderFileStoreOptions } from './folder-file-store.js';
